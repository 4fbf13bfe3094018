"""A small ledger with a record of every kind and every field set, for texts that want to be executed."""

from pathlib import Path

from builders import edit, write
from regress_world import sound_project

QUESTION = "ledger/questions/Q1.yaml"
EVERY_DRAWING = """\
id: every-drawing
title: {en: 'Every drawing', zh: '各种图'}
caption: {en: 'Each once.', zh: '各画一次。'}
basis: records
locators: ['report §1 fig.1']
twin: {en: 'Each drawing once.', zh: '各种图各画一次。'}
marks:
  - {id: laid, name: {en: 'laid', zh: '已铺'}, sign: 'L'}
  - {id: open, name: {en: 'open', zh: '未铺'}, sign: 'O', tone: muted}
bodies:
  - kind: strip
    runs: [{parts: [laid], times: area}]
    group: rows
    total: area
    instead: [{mark: open, at: rows}, {mark: open, count: rows}]
  - kind: matrix
    columns: [{en: 'a', zh: '甲'}]
    rows: [{name: {en: 'r', zh: '行'}}]
    cells: [[{name: {en: 'c', zh: '格'}, mark: laid}]]
  - kind: flow
    stages:
      - {name: {en: 's', zh: '一'}, lanes: [{name: {en: 'l', zh: '道'}}]}
      - {name: {en: 't', zh: '二'}}
  - kind: timeline
    axis: {en: 'x', zh: '轴'}
    lanes: [{name: {en: 'l', zh: '道'}, bars: [{name: {en: 'b', zh: '段'}, start: 0, end: 2, mark: laid}]}]
  - kind: table
    columns: [{en: 'a', zh: '甲'}]
    rows: [[{en: 'c', zh: '格'}]]
  - kind: compare
    panels:
      - {name: {en: 'p', zh: '左'}, lines: [{en: 'l', zh: '句'}], mark: laid}
      - {name: {en: 'q', zh: '右'}, lines: [{en: 'm', zh: '话'}]}
  - kind: steps
    frames:
      - {name: {en: 'f', zh: '一'}, text: {en: 't', zh: '文'}, matrix: [[{en: 'c', zh: '格'}]]}
      - {name: {en: 'g', zh: '二'}, text: {en: 'u', zh: '字'}}
  - kind: composer
    columns: [{en: 'a', zh: '甲'}]
    groups:
      - name: {en: 'g', zh: '组'}
        options:
          - {name: {en: 'o', zh: '一'}, texts: [{en: 't', zh: '文'}]}
          - {name: {en: 'p', zh: '二'}, texts: [{en: 'u', zh: '字'}]}
  - kind: chart
    points: [{name: {en: 'n', zh: '名'}, ours: 1}]
    scores: {table: T1, silent: {en: 's', zh: '无'}}
    columns: {name: {en: 'n', zh: '名'}, ours: {en: 'o', zh: '分'}}
    spec:
      width: 200
      height: 100
      mark: point
      encoding:
        x: {field: ours, type: quantitative, title: {en: 'x', zh: '横'}}
        y: {field: name, type: nominal, title: {en: 'y', zh: '纵'}}
  - {kind: specs, rows: [side], columns: [now]}
  - {kind: embed, page: 'labs/A', anchor: 'A'}
"""
LESSON = "---\nid: lesson\ntitle: {title}\nquestion: {question}\n---\n\n{body}\n"
SECTION = """\
sections:
  - id: course
    name: {en: 'Course', zh: '课程'}
    lead: {en: 'Read on.', zh: '往下读。'}
    pages: ['lesson']
"""
NEW_TERM = """\
- id: unit-step
  name: {en: 'unit step', zh: '单位步（unit step）'}
  definition: {en: 'A step of one.', zh: '一步。'}
  locator: 'report §1'
"""
WORDS = """\
  - id: shape
    name: {en: 'Shape', zh: '形状'}
    cells:
      now:
        text: {en: 'square', zh: '方的'}
        locators: ['report §1 table 1']
"""
HISTORY = """\
history:
  - {release: '2026.01', claim: c2, was: R, now: R, why: {en: 'Said better.', zh: '说得更清楚。'}}
would_change:"""


def whole_project(root: Path) -> Path:
    """Write the ledger that has everything to `root`; it had a release."""
    sound_project(
        root,
        write("ledger/components/every-drawing.yaml", EVERY_DRAWING),
        write("content/course/lesson.en.md", LESSON.format(title="Lesson", question="Why?", body="Read.")),
        write("content/course/lesson.zh.md", LESSON.format(title="一课", question="为什么？", body="读吧。")),
        edit("ledger/ledger.yaml", "units:\n", f"{SECTION}units:\n"),
        edit(QUESTION, "would_change:", HISTORY),
        edit("ledger/tables/T1.yaml", "locators:", "component: every-drawing\nlocators:"),
    )
    for file, more in (("glossary", NEW_TERM), ("specs", WORDS)):
        path = root / f"ledger/{file}.yaml"
        path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    return root
