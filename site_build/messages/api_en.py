"""Words on the page of the data, and in the data, in English."""

API_EN = {
    "api": "Data and API",
    "lead_api": "The whole ledger for programs: plain files at addresses that stay, with no key and no limit.",
    "api_whole": "The whole ledger",
    "api_whole_json": "Every record in every language, with addresses and claim hashes, as one JSON file.",
    "api_whole_sqlite": "The same as an SQLite database with foreign keys and indexes.",
    "api_openapi": "Every file below, described as OpenAPI 3.1.",
    "api_records": "Record by record",
    "api_records_lead": "Kinds with a page for each record have a file for each record too; their list says where "
    "it stands. "
    "Other kinds stand in one file. Texts are in plain words, with formulas as LaTeX, in each language.",
    "api_list": "List",
    "api_index": "Where the records of a kind stand.",
    "api_one": "One record",
    "api_schema": "JSON Schema",
    "api_tables": "Tables for spreadsheets",
    "api_tables_lead": "CSV as RFC 4180 describes it, in UTF-8 without a byte-order mark. A text that a "
    "spreadsheet would "
    "compute begins with an apostrophe.",
    "api_table": "A table of the ledger as CSV.",
    "api_more": "Other ways in",
    "api_feed": "What each release changed in the claims",
    "api_outline": "What this site holds and where, for language models (llms.txt)",
    "api_release": "What a release said, with the hash of each claim.",
    "api_releases": "Releases",
    "api_in_pages": "In the pages",
    "api_in_pages_lead": "The head of each page says what it is about as JSON-LD in the words of schema.org, with "
    "a context of "
    "its own, and leads on by typed links: cite-as, describedby, item, license, author, type.",
    "api_try": "Try it",
    "api_hash": "Claim hashes",
    "api_hash_lead": "A claim's hash is the SHA-256 of its part “hashed”, written as canonical JSON (RFC 8785); "
    "the file of "
    "its question holds both.",
    "api_promise_title": "What stays",
    "api_promise": "Addresses below api/v1/ stay, and so does the meaning of a field. Fields and files may be added. "
    "What would break a program goes to api/v2/, and v1 stays beside it. Ids are never given to another record.",
    "api_licence": "Licence",
    "api_licence_lead": "Text and data are under CC BY 4.0: name the author, and quote a claim with its grade and "
    "boundary.",
    "api_file": "File",
    "api_what": "What it holds",
    "api_scale": "The letters name kinds of evidence; they are no scale from best to worst.",
    "api_kind_question": "Questions with their claims",
    "api_kind_figure": "Figures",
    "api_kind_table": "Tables",
    "api_kind_lab": "Labs",
    "api_kind_redline": "Red lines",
    "api_kind_correction": "Corrections",
    "api_kind_node": "Reading path",
    "api_kind_value": "Values",
    "api_kind_spec": "Specifications",
    "api_kind_column": "Columns of the specifications",
    "api_kind_benchmark": "Benchmark rows with scores and protocols",
    "api_kind_contender": "Contenders of the benchmarks",
    "api_kind_dimension": "Dimensions in which evaluations differ",
    "api_kind_setting": "Settings of those dimensions",
    "api_kind_group": "Groups of benchmark rows",
    "api_kind_term": "Glossary",
    "api_kind_grade": "Grades",
    "api_kind_source": "Sources with their outlines",
    "api_kind_item": "Checklist",
    "api_kind_component": "Pictures and tools of the pages",
    "outline_read": "Each statement of this site is a claim with a grade, a place where it can be checked, and a "
    "boundary that "
    "says how far the evidence goes. Quote a claim together with its grade and boundary. The grades:",
    "change_added": "added",
    "change_removed": "removed",
    "change_withdrawn": "withdrawn",
    "change_restored": "restored",
    "change_upgraded": "evidence upgraded",
    "change_downgraded": "evidence downgraded",
    "change_changed": "changed",
    "change_none": "No claim changed.",
    "change_first": "First release, with {count} claims.",
}
