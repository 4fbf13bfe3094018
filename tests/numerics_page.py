"""The page that lists how the numerics were tested, written from the files of evidence."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

from vector_differences import REASON_OF, REASONS

ROOT = Path(__file__).parents[1]
NUMERICS = f"k3core {version('k3core')}"
MUTATIONS = ROOT / "evidence" / "mutations.json"
VECTORS = ROOT / "evidence" / "vectors.json"
TEXTS = {
    "en": {
        "title": "How the numerics are tested",
        "lead": "The labs and the derived numbers of this ledger call a package of numerics. Two runs of its tests are "
        "recorded here: which deliberate faults they notice, and how far the package answers alike under Python and in "
        "a browser. `make evidence` makes both runs and writes this page.",
        "faults": "## Deliberate faults",
        "faults_lead": "A test that cannot fail proves nothing. Each line of the table was made wrong in a copy of the "
        "package, one at a time, and the named check had to turn red: `{noticed}` of `{all}` faults were noticed. On "
        "the package as it is the same checks pass. Every run of the tests makes the faults again.",
        "faults_head": "| Fault | Module | Check | Noticed |",
        "yes": "yes",
        "no": "**no**",
        "engines": "## Two engines",
        "engines_lead": "The checked vectors are inputs and expected results for every mechanism. `{tests}` tests meet "
        "all `{vectors}` of them under Python `{here}` with NumPy `{here_numpy}`; the same tests, unchanged, meet them "
        "under Pyodide in `{browser}` (Python `{there}`, NumPy `{there_numpy}`). Both runs made the same `{calls}` "
        "calls of `{functions}` functions from the same generated inputs. `{same}` functions returned the same bits "
        "every time; the table holds the others.",
        "engines_unit": "A difference counts in units in the last place of the largest number of the array in which it "
        "stands. *Own* is what a function adds when its arguments are the same to the bit; *inherited* is what came "
        "out where the arguments differed already.",
        "engines_head": "| Function | Calls | Own | Inherited | Reason |",
        "given": "none of its own: the arguments differed already",
    },
    "zh": {
        "title": "数值包如何受检",
        "lead": "本台账的实验和推导数字都调用同一个数值包。这里记录其测试的两次运行：故意弄错时，测试能否察觉；"
        "在 Python 和浏览器里，结果有多接近。`make evidence` 完成这两次运行，并写出本页。",
        "faults": "## 故意弄错",
        "faults_lead": "不会失败的测试什么也证明不了。表中每一处都曾在数值包的副本里单独改错，指定的检查必须变红："
        "`{all}` 处中察觉了 `{noticed}` 处。对未改动的数值包，同样的检查全部通过。每次运行测试，这些错都会再犯一遍。"
        "名称与测试代码一致，不译。",
        "faults_head": "| 错处 | 模块 | 检查 | 察觉 |",
        "yes": "是",
        "no": "**否**",
        "engines": "## 两种引擎",
        "engines_lead": "校验向量给出每个机制的输入和应有结果。`{tests}` 项测试核对了全部 `{vectors}` 组："
        "先在 Python `{here}`、NumPy `{here_numpy}` 下，再原样搬到 `{browser}` 的 Pyodide 里"
        "（Python `{there}`、NumPy `{there_numpy}`），两边都通过。两次运行从同样的输入出发，"
        "对 `{functions}` 个函数做了同样的 `{calls}` 次调用；`{same}` 个函数每次返回的每一位都相同，其余列在表中。",
        "engines_unit": "差异以所在数组中最大数的末位单位计。“自身”是参数逐位相同时函数带来的差异，"
        "“继承”是参数本来就不同时的结果差异。",
        "engines_head": "| 函数 | 调用次数 | 自身 | 继承 | 原因 |",
        "given": "自身没有差异，参数本来就不同",
    },
}


def page_file(language: str) -> Path:
    """Where the page of a language stands."""
    return ROOT / "content" / f"numerics.{language}.md"


def numerics_page(language: str, mutations: dict[str, Any], vectors: dict[str, Any]) -> str:
    """The page in one language, front matter and two tables."""
    text = TEXTS[language]
    noticed = sum(fault["noticed"] for fault in mutations["faults"].values())
    head = ["---", "id: numerics", f"title: {text['title']}", "---", "", text["lead"], ""]
    faults = [
        f"| `{name}` | `{fault['module']}` | `{fault['witness']}` | {text['yes' if fault['noticed'] else 'no']} |"
        for name, fault in mutations["faults"].items()
    ]
    first = text["faults_lead"].format(noticed=noticed, all=len(faults))
    apart = {name: row for name, row in vectors["functions"].items() if row["own_ulp"] or row["inherited_ulp"]}
    lead = text["engines_lead"].format(
        vectors=len(vectors["vectors"]),
        tests=vectors["tests"],
        here=vectors["engines"]["CPython"]["python"],
        here_numpy=vectors["engines"]["CPython"]["numpy"],
        there=vectors["engines"]["Pyodide"]["python"],
        there_numpy=vectors["engines"]["Pyodide"]["numpy"],
        browser=vectors["engines"]["Pyodide"]["browser"],
        calls=sum(row["calls"] for row in vectors["functions"].values()),
        functions=len(vectors["functions"]),
        same=len(vectors["functions"]) - len(apart),
    )
    rows = [_difference(language, name, row) for name, row in apart.items()]
    # one list of lines after the other, as they stand on the page
    lines = [*head, text["faults"], "", first, "", text["faults_head"], "|---|---|---|---|", *faults, ""]
    lines += [text["engines"], "", lead, "", text["engines_unit"], "", text["engines_head"], "|---|---|---|---|---|"]
    return "\n".join([*lines, *rows, ""])


def _difference(language: str, name: str, row: dict[str, Any]) -> str:
    given = not row["own_ulp"] and row["inherited_ulp"] <= REASONS[REASON_OF.get(name, "sum")].limit
    reason = TEXTS[language]["given"] if given else getattr(REASONS[REASON_OF[name]], language)
    return f"| `{name}` | `{row['calls']}` | `{row['own_ulp']:g}` | `{row['inherited_ulp']:g}` | {reason} |"
