"""Problems in English."""

from site_build.messages.wording import Wording

PROBLEMS_EN = {
    "derivation-circle": Wording("a derivation that ends in given values", "Take {got} out of its own inputs."),
    "teaching-unmarked": Wording("a word that marks a model: {words}", "Say that a model gives this number."),
    "acceptance-not-there": Wording("a component with this id", "Add it, or set the state to planned."),
    "component-chart": Wording("a Vega-Lite specification that compiles", "Mend the specification."),
    "component-count": Wording("{total} pieces, the total it names", "Correct the runs or the value."),
    "component-mark": Wording("a mark of the legend: {known}", "Add it to marks, or correct it."),
    "component-points": Wording("points to draw", "Name a lab and its lists, or write points."),
    "component-shape": Wording("{wanted}", "Fill or remove cells."),
    "address-taken": Wording("an address that the site does not use itself", "Choose another id or folder."),
    "bib-duplicate-field": Wording("each field once (first at {first})", "Keep one of them."),
    "bib-duplicate-key": Wording("a key used once (first at {first})", "Rename or remove one entry."),
    "bib-field": Wording("a {field}", "Add the field {field} as the work has it."),
    "bib-key": Wording("a key of lower-case letters, digits and hyphens", "Rename the key, and the node with it."),
    "bib-latex": Wording("LaTeX commands with all they need", "Complete the command, or write the text itself."),
    "bib-name": Wording("names joined by `and`", "Write `Family, Given and Family, Given` ({reason})."),
    "bib-readings-differ": Wording(
        "one way to read {what}", "Look for a missing comma or a brace that closes too early."
    ),
    "bib-syntax": Wording("BibTeX", "Mend this line or the one above: braces must balance, fields end in commas."),
    "bib-type": Wording("a type of entry that BibTeX or BibLaTeX has", "Write @{nearest}; @misc fits every work."),
    "bib-undefined-string": Wording("text in braces, a number, or a month such as jan", "Put braces around it."),
    "cell-shape": Wording(
        "a number with its display, or a text",
        "Keep one of number and text; a number needs display.",
        got="both or neither",
    ),
    "count-differs": Wording("{promised} records, as promised", "Add what is missing, or change the promise."),
    "derivation-differs": Wording("{computed}, from {call}", "Correct the number or its inputs."),
    "derivation-endless": Wording(
        "a number from {call} within {limit} s", "Mend the function or its inputs: it may never end."
    ),
    "derivation-fails": Wording("a number from {call}", "Give the inputs that the function asks for."),
    "derivation-missing": Wording("a derivation, since the grade is D", "Name the derived value, or lower the grade."),
    "derivation-not-d": Wording("grade D for a derived value", "Set the grade to D, or remove the derivation."),
    "derivation-not-number": Wording("a number from {call}", "Choose a function that returns one number."),
    "derivation-of-given": Wording(
        "a value of grade D", "Name the value that the build computes; this one is {grade}."
    ),
    "derivation-unknown": Wording("a function of {module}", "Correct the name, or add the function to the registry."),
    "display-differs": Wording("a print that still says {number}", "Use a format with more digits."),
    "display-format": Wording("a format such as {{:,}} or {{:.2f}}", "Write the format in quotes."),
    "entry-without-node": Wording(
        "a node for every entry",
        "Add the node to reading/nodes.yaml, or remove the entry.",
    ),
    "disk-full": Wording("room for what is written", "Free some room and run it again; no file is half written."),
    "evidence-broken": Wording(
        "the JSON that a command wrote", "Run that command again, or take the file back from version control."
    ),
    "field-empty": Wording("something here", "Write it, or remove an optional field."),
    "field-invalid": Wording("{expected}", "Correct the value."),
    "field-missing": Wording("the field {field}", "Add it."),
    "field-not-allowed": Wording("{expected}", "Choose one of these."),
    "field-not-list": Wording("a list", "Put each entry on a line of its own after a hyphen."),
    "field-not-mapping": Wording("fields with names", "Write `name: value` lines, indented."),
    "field-not-number": Wording("a number", "Write it with digits, without quotes."),
    "field-not-text": Wording("text", "Put it in quotes."),
    "field-not-true-false": Wording("true or false", "Write one of these, without quotes."),
    "field-not-whole-number": Wording("a whole number", "Write it with digits, without quotes."),
    "field-pattern": Wording("the form {expected}", "Follow the pattern."),
    "field-misspelt": Wording("one of {known}", "Did you mean {nearest}?"),
    "field-unknown": Wording("one of {known}", "Correct the name, or remove the field."),
    "file-empty": Wording("a record", "Write one, or remove the file."),
    "file-misplaced": Wording("{nearest}, which is read", "Move it there; nothing reads this file."),
    "file-not-list": Wording("a list of records", "Begin each record with a hyphen."),
    "file-not-utf8": Wording("UTF-8", "Save the file as UTF-8.", got="byte {got}"),
    "file-too-large": Wording("at most {limit} bytes", "Split the file.", got="{got} bytes"),
    "file-unread": Wording("one of {known}", "Move its records there, or the file out of ledger/."),
    "file-unreadable": Wording("a file that can be read", "Check its name and permissions."),
    "fmt-changes-value": Wording(
        "a form that keeps every value and comment",
        "Nothing was written; simplify the quotes or comments there.",
        got="a change of {got}",
    ),
    "fmt-form": Wording("the form that k3 fmt writes", "Run `k3 fmt {file}`.", got="another form"),
    "fmt-no-ledger-file": Wording("a YAML file of the ledger", "Name one such as ledger/values.yaml."),
    "formula-broken": Wording("LaTeX that parses", "Mend the formula: {reason}."),
    "formula-open": Wording("a closing dollar", "Close the formula, or write \\$ for a dollar."),
    "grade-p-in-report": Wording(
        "a locator outside the report, since the grade is P", "Name the other source, or use R."
    ),
    "grade-r-elsewhere": Wording("a locator into {sources}, since the grade is R", "Point into the report, or use P."),
    "grade-without-locator": Wording(
        "a locator, since the grade is {grade}",
        "Add one, for example report §2.1 eq.1.",
    ),
    "html-typed": Wording("text without HTML", "Use Markdown, or put it in backticks."),
    "id-not-file": Wording("the id that the file is named after", "Rename {file} or the id."),
    "id-pattern": Wording("an id like {pattern}", "Choose the next free id of this form."),
    "id-twice": Wording("an id used once (first at {first})", "Give one of them the next free id."),
    "image-elsewhere": Wording(
        "an image of this project", "Keep a copy below content/ and name it by a relative path."
    ),
    "lab-example-differs": Wording("{computed}, from the function", "Correct the example, or the function."),
    "lab-fails": Wording("a result", "Mend the function or its inputs."),
    "lab-function-unknown": Wording("a lab of {module}", "Correct the name, or add the function to the registry."),
    "lab-input-range": Wording("{wanted}", "Choose a value that the input allows."),
    "lab-input-unknown": Wording("one of {known}", "Correct the name."),
    "lab-inputs-differ": Wording("the function's parameters: {parameters}", "Make contract and function agree."),
    "lab-output-missing": Wording("a part of the result: {known}", "Correct the id."),
    "lab-output-unlisted": Wording("every part of the result listed", "Describe this output in the contract."),
    "lab-wheel-unfit": Wording("{wanted}", "Pin a runtime and packages of one platform; numerics stay pure Python."),
    "language-missing": Wording("the language {language}", "Write the text in it."),
    "link-unsafe": Wording("http, https or a relative address", "Correct the link."),
    "list-unknown": Wording("one of {list}: {known}", "Correct it, or add it to that list."),
    "locator-form": Wording("a locator such as report §2.1 eq.1", "Follow one of the forms in the method page."),
    "locator-part": Wording("a number that the source has ({last})", "Correct the number."),
    "locator-path": Wording("a path listed in sources.yaml", "Correct it, or add it to the source's paths."),
    "locator-section": Wording("a section of the outline of {source}", "Correct it, or add it to sources.yaml."),
    "locator-source": Wording("a source: {known}", "Correct it, or add it to sources.yaml."),
    "marker-kind": Wording("one of {known}", "Correct the word before the bracket."),
    "marker-open": Wording("a marker with an id in closed brackets", "Complete it, or write \\: for a colon."),
    "mkdocs-refuses": Wording("settings that MkDocs accepts", "Compare mkdocs.yml with the one of this project."),
    "new-bibtex": Wording("one entry ({wanted})", "Export that one entry, or give its arXiv number."),
    "new-exists": Wording("an id or file that is not there yet", "Choose another; nothing was overwritten."),
    "new-not-inserted": Wording(
        "a list in block style", "Run `k3 fmt` first; nothing was written.", got="another form"
    ),
    "new-none-free": Wording(
        "a free id of the form {pattern}", "All are taken: widen the pattern in ledger.yaml.", got="{got} ids"
    ),
    "new-out-of-reach": Wording("a folder that can be written", "Check the name and its permissions."),
    "node-without-entry": Wording("an entry with this key in references.bib", "Add its BibTeX."),
    "number-typed": Wording("a marker such as :value[id]", "Write the number once in the ledger and refer to it."),
    "numerics-unusable": Wording("a module that can be imported", "Mend it: {reason}."),
    "pattern-broken": Wording("a regular expression", "Mend it: {reason}."),
    "page-twice": Wording("a page named once (first at {first})", "Remove one of the two."),
    "page-unlisted": Wording(
        "a page that `sections: {section}` in ledger.yaml lists", "Add it there, in reading order."
    ),
    "prose-front-matter": Wording(
        "the field {field} in the front matter",
        "Begin the file with it between --- lines.",
    ),
    "prose-name": Wording("a name like method.en.md", "Put the language before the ending."),
    "protocol-incomplete": Wording("every dimension set or silent", "Add a setting, or list the dimension as silent."),
    "protocol-twice": Wording("each dimension once", "Keep one setting, or take it off the silent list."),
    "redline-crossed": Wording(
        "nothing that red line {redline} refuses", "Say it as the red line's right wording does."
    ),
    "redline-examples": Wording("at least {needed} sentences", "Add examples, negations among those that must pass."),
    "redline-must-match": Wording("a sentence that a pattern finds", "Widen the pattern, or change the sentence."),
    "redline-must-pass": Wording("a sentence that no pattern finds", "Narrow the pattern, or change the sentence."),
    "reference-unknown": Wording("a {kind} that is there", "Correct the id, or add the record."),
    "review-due": Wording("a review after {today}", "Check the question against its sources and set a new date."),
    "score-missing": Wording("a number, since its status is {status}", "Write it, or set the status to not-reported."),
    "term-avoided": Wording("the term {term}", "Use it; the glossary says why."),
    "text-control-character": Wording(
        "printable text", "Remove it; where double quotes in YAML made it of \\b, use single quotes or a block."
    ),
    "text-unwritten": Wording("the text itself", "Write it in place of the placeholder."),
    "yaml-alias": Wording("the text itself", "Write it out; aliases are refused."),
    "yaml-duplicate-key": Wording("each key once (first at {first})", "Keep one of them."),
    "yaml-empty-item": Wording("something after the hyphen", "Write the entry, or remove the line.", got="nothing"),
    "yaml-empty-value": Wording("a value", "Write it, or remove the field.", got="nothing"),
    "yaml-key": Wording("a word as the key", "Put the key in quotes.", got="a list or mapping"),
    "yaml-lost-zero": Wording("a number or a text", "Write '{got}' as text, or {number} as a number."),
    "yaml-syntax": Wording("YAML", "Mend the line; check indentation and quotes."),
    "yaml-tab": Wording("spaces before the text", "Indent with spaces; YAML refuses tabs there.", got="a tab"),
    "yaml-tag": Wording("a value without a tag", "Remove the exclamation mark and what follows it."),
    "yaml-too-deep": Wording("at most {limit} levels", "Flatten the record.", got="{got} levels"),
    "yaml-trap-base": Wording(
        "a number without leading zeros, or a text", "Write '{got}' in quotes, or the number in full."
    ),
    "yaml-trap-clock": Wording("a text", "Write '{got}' in quotes: YAML would read it as a time."),
    "yaml-trap-date": Wording("a text", "Write '{got}' in quotes: YAML would read it as a date."),
    "yaml-trap-number": Wording("a decimal number or a text", "Write '{got}' in quotes, or the number in full."),
    "yaml-trap-word": Wording("true, false or a text", "Write '{got}' in quotes: YAML would read it as yes or no."),
    "claim-lost": Wording(
        "the claim, since release {release} published it",
        "Put it back, and set `withdrawn` with the reason if it no longer stands.",
    ),
    "claim-reused": Wording(
        "the statement that release {release} withdrew under this id",
        "Put it back, and give the new statement the next free id.",
    ),
    "grade-unexplained": Wording(
        "grade {was}, as in release {release}, or a step in history", "Add the step to the question's history."
    ),
    "digest-broken": Wording(
        "the digest of release {version}, build {build}", "Take the file back from version control; it is never edited."
    ),
    "step-ends-elsewhere": Wording(
        "{grade}, the grade of {claim}, after its last step", "Correct the step, or add the one that is missing."
    ),
    "step-without-claim": Wording("a claim of this question: {claims}", "Correct the id."),
    "release-broken": Wording(
        "the snapshot of a release", "Take the file back from version control; a snapshot is never edited."
    ),
}
