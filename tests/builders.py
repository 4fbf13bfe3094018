"""Worlds in two lines: a tiny valid ledger project on disk, with one thing broken, and the problems found in it.

root = project(tmp_path, edit("ledger/values.yaml", "number: 6", "number: 7"))
assert problems_of(root) == ["ledger/values.yaml:21:11: product.number: expected 6, ..."]
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from site_build.checks import find_problems
from site_build.messages import put_in_words
from site_build.model import Ledger
from site_build.source import Reading, read_ledger

NUMERICS = "tiny_numerics"
TESTS = Path(__file__).parent
REPOSITORY = TESTS.parent


@dataclass(frozen=True)
class Edit:
    """One change of a file of the tiny project."""

    file: str
    old: str | None
    new: str | None

    def apply(self, root: Path) -> None:
        """Make the change; a text that is not there exactly once is a mistake of the test."""
        path = root / self.file
        if self.new is None:
            path.unlink()
        elif self.old is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.new, encoding="utf-8")
        else:
            text = path.read_text(encoding="utf-8")
            assert text.count(self.old) == 1, f"{self.file} holds {self.old!r} {text.count(self.old)} times"
            path.write_text(text.replace(self.old, self.new), encoding="utf-8")


def edit(file: str, old: str, new: str) -> Edit:
    """Replace a text that stands in `file` once."""
    return Edit(file, old, new)


def write(file: str, text: str) -> Edit:
    """Write a whole file, new or old."""
    return Edit(file, None, dedent(text))


def remove(file: str) -> Edit:
    """Take a file away."""
    return Edit(file, None, None)


def project(root: Path, *edits: Edit) -> Path:
    """Write the tiny project to `root`, change it, and return `root`."""
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    for change in edits:
        change.apply(root)
    return root


def reading_of(root: Path) -> Reading:
    """Read a project as if no other had been read before."""
    sys.modules.pop(NUMERICS, None)
    return read_ledger(root)


def ledger_of(root: Path) -> Ledger:
    """The ledger of a project that can be read."""
    ledger = reading_of(root).ledger
    assert ledger is not None
    return ledger


def problems_of(root: Path, language: str = "en") -> list[str]:
    """Every problem of a project, as the command line prints it."""
    return [put_in_words(problem, language).line for problem in find_problems(reading_of(root))]


FILES = {
    "mkdocs.yml": """\
site_name: Tiny
docs_dir: content
theme:
  name: material
plugins:
  - ledger
  - material/search
markdown_extensions:
  - attr_list
""",
    f"{NUMERICS}.py": """\
def product(first: int, second: int) -> int:
    return first * second


DERIVATIONS = {"tiny.product": product}
LABS = {}
""",
    "ledger/ledger.yaml": """\
title: {en: 'Tiny ledger', zh: '小台账'}
description: {en: 'A ledger of sums.', zh: '关于算术的台账。'}
author: 'Testers'
address: 'https://tiny.example/'
languages: [en, zh]
date: '2026-01-02'
numerics: 'tiny_numerics'
promised:
  questions: 1
  figures: 1
  tables: 1
  labs: 0
  path_nodes: 1
ids:
  question: '^Q[1-9]$'
  value: '^[a-z_]+$'
example: 'Q1.c1'
topics:
  - id: sums
    name: {en: 'Sums', zh: '算术'}
statuses:
  - id: answered
    name: {en: 'Answered', zh: '已回答'}
stages:
  - id: first
    name: {en: 'First', zh: '首先'}
units:
  - id: 'tiles'
    name: {en: 'tiles', zh: '块'}
""",
    "ledger/grades.yaml": """\
- id: R
  name: {en: 'Reported', zh: '报告写明'}
  meaning: {en: 'The report says so.', zh: '报告写明。'}
  needs: {en: 'A locator.', zh: '出处。'}
- id: P
  name: {en: 'Published', zh: '来源写明'}
  meaning: {en: 'Another source says so.', zh: '其他来源写明。'}
  needs: {en: 'A locator.', zh: '出处。'}
- id: D
  name: {en: 'Derived', zh: '推导'}
  meaning: {en: 'The build computes it.', zh: '构建时计算。'}
  needs: {en: 'A function.', zh: '函数。'}
- id: T
  name: {en: 'Teaching model', zh: '教学模型'}
  meaning: {en: 'A model of this site.', zh: '本站的模型。'}
  needs: {en: 'Words that say so.', zh: '写明这是模型。'}
""",
    "ledger/sources.yaml": """\
- id: report
  title: 'The report'
  kind: report
  version: {en: 'first', zh: '第一版'}
  date: '2026-01-01'
  note: {en: 'Read whole.', zh: '全文读过。'}
  outline:
    - number: '1'
      title: 'Start'
    - number: '2.10'
      title: 'Tenth'
  equations: 2
  figures: 1
  tables: 1
  appendices: ['A']
- id: config
  title: 'The configuration'
  kind: configuration
  version: {en: 'first', zh: '第一版'}
  date: '2026-01-01'
  note: {en: 'Read whole.', zh: '全文读过。'}
  paths: ['rows.count']
""",
    "ledger/values.yaml": """\
- id: rows
  name: {en: 'Rows', zh: '行数'}
  grade: R
  locators: ['report §1 eq.1']
  number: 2
  unit: 'tiles'
  display: '{:,}'
- id: columns
  name: {en: 'Columns', zh: '列数'}
  grade: P
  locators: ['config rows.count']
  number: 3
  display: '{:,}'
- id: area
  name: {en: 'Area', zh: '面积'}
  grade: D
  locators: ['report §1 eq.1', 'config rows.count']
  number: 6
  unit: 'tiles'
  display: '{:,}'
  derivation:
    function: 'tiny.product'
    inputs:
      first: {value: rows}
      second: {value: columns}
- id: ratio
  name: {en: 'Ratio', zh: '比例'}
  grade: T
  number: 0.6667
  display: '{:.3f}'
""",
    "ledger/specs.yaml": """\
columns:
  - id: now
    name: {en: 'Now', zh: '现在'}
rows:
  - id: side
    name: {en: 'Side', zh: '边长'}
    cells:
      now:
        number: 1234
        display: '{:,}'
        unit: 'tiles'
        locators: ['report §1 table 1']
""",
    "ledger/redlines.yaml": """\
- id: RL1
  statement: {en: 'The floor is flat.', zh: '地面是平的。'}
  right: {en: 'Say how flat it is.', zh: '写明平整程度。'}
  locators: ['report §1']
  patterns:
    en: ['floor is (?!not )\\w*flat']
    zh: ['地面(?!不)是平']
  must_match:
    en: ['The floor is flat.', 'A floor is flat.', 'Every floor is flat.']
    zh: ['地面是平的。', '这地面是平坦的。', '地面是平整的。']
  must_pass:
    en: ['The floor is not flat.', 'The wall is flat.', 'A flat floor.']
    zh: ['地面不是平的。', '墙是平的。', '平的地面。']
""",
    "ledger/corrections.yaml": """\
- id: C1
  title: {en: 'A wrong sum', zh: '错误的和'}
  who: {en: 'A leaflet', zh: '一份传单'}
  says: {en: 'The area is 7, and the floor is flat.', zh: '面积是 7，而且地面是平的。'}
  right: {en: 'It is :value[area].', zh: '应为 :value[area]。'}
  locators: ['report §1']
""",
    "ledger/glossary.yaml": """\
- id: tile
  name: {en: 'tile', zh: '地砖（tile）'}
  definition: {en: 'A square piece of floor.', zh: '方形的铺地材料。'}
  locator: 'report §1'
  avoid:
    en: ['slab']
    zh: ['板子']
""",
    "ledger/questions/Q1.yaml": """\
id: Q1
topic: sums
status: answered
object: {en: 'Floor', zh: '地面'}
title: {en: 'How many tiles?', zh: '有多少块地砖？'}
answer: {en: 'The floor has :value[area].', zh: '地面有 :value[area]。'}
claims:
  - id: c1
    text: {en: 'The product $a b$ is :value[area].', zh: '乘积 $a b$ 为 :value[area]。'}
    grade: D
    locators: ['report §1 eq.1']
    derivation: [area]
    boundary: {en: 'Counted, not measured.', zh: '数出来的，不是测得的。'}
  - id: c2
    text: {en: 'The report gives 2 rows.', zh: '报告给出 2 行。'}
    grade: R
    locators: ['report §1 eq.1']
  - id: c3
    text: {en: 'A leaflet agrees.', zh: '一份传单与此一致。'}
    grade: P
    locators: ['node smith-2020']
  - id: c4
    text: {en: 'A model floor.', zh: '模型地面。'}
    grade: T
boundary: {en: 'For this floor only.', zh: '只限这块地面。'}
misreadings:
  - wrong: {en: 'The floor is flat with 9 tiles.', zh: '地面是平的，有 9 块。'}
    why: {en: 'Nobody measured.', zh: '没有人测过。'}
    right: {en: 'It has tiles.', zh: '它有地砖。'}
acceptance:
  statement: {en: 'A drawing.', zh: '一张图。'}
  component: floor-plan
  selector: '.floor'
  state: planned
figures: [F1]
tables: [T1]
nodes: [smith-2020]
redlines: [RL1]
corrections: [C1]
related: ['Q1.c2']
reviewed: '2026-01-02'
would_change: {en: 'Another floor.', zh: '另一块地面。'}
""",
    "ledger/figures/F1.yaml": """\
id: F1
title: {en: 'The floor', zh: '地面图'}
shows: {en: 'A floor.', zh: '一块地面。'}
picture: {en: 'A grid.', zh: '一个网格。'}
do_not_conclude:
  - {en: 'That it is level.', zh: '不能说它是水平的。'}
locators: ['report §1 fig.1']
""",
    "ledger/tables/T1.yaml": """\
id: T1
title: {en: 'Sides', zh: '边长表'}
shows: {en: 'Sides.', zh: '边长。'}
picture: {en: 'A table.', zh: '一张表。'}
do_not_conclude:
  - {en: 'That it is square.', zh: '不能说它是方的。'}
locators: ['report §1 table 1']
specs: [side]
""",
    "ledger/reading/nodes.yaml": """\
- id: smith-2020
  stage: first
  in_path: true
  kind: paper
  cited:
    - source: report
      numbers: {v1: 1}
  why: {en: 'It counts.', zh: '它会数数。'}
""",
    "ledger/reading/references.bib": """\
@article{smith-2020,
  author = {Smith, Ann and Li, Wei},
  title = {On Floors},
  journal = {Journal of Tiles},
  year = {2020},
  url = {https://tiles.example/floors}
}
""",
    "content/about.en.md": """\
---
id: about
title: About
---

Here is :value[area] and :claim[Q1.c1].

::question[Q1]
""",
    "content/about.zh.md": """\
---
id: about
title: 关于
---

这里是 :value[area] 和 :claim[Q1.c1]。

::question[Q1]
""",
}
"""Every file of the tiny project, by path."""
