"""What `k3 release` and `k3 verify` say, in Chinese."""

from site_build.messages.wording import Wording

RELEASE_PROBLEMS_ZH = {
    "address-redirects": Wording("由该地址本身应答", "若目标正确，请直接核验目标地址。"),
    "address-silent": Wording("正常的应答", "检查地址和网络。"),
    "archive-broken": Wording("完整的 .tar 或 .tar.gz", "重新获取归档。"),
    "archive-too-big": Wording("大小与网站相称的归档", "不要解包。"),
    "archive-unsafe": Wording("同一根目录下的文件和目录，各出现一次", "不要解包。"),
    "digest-differs": Wording("SHA-256 {wanted}（来自 {source}）", "重新获取该版本，并从另一处核对摘要。"),
    "file-differs": Wording("{wanted}", "换回发布时的文件。"),
    "file-extra": Wording("此处无文件", "删去它，或查明是谁放入的。"),
    "file-missing": Wording("{wanted}", "补上发布时的文件。"),
    "image-broken": Wording("只含一层的完整 OCI 镜像布局", "重新获取镜像。"),
    "manifest-broken": Wording("清单：版本、构建，以及每个路径的哈希和大小", "重新获取该版本。"),
    "note-broken": Wording("版本、构建、清单摘要、地址和日期", "重新获取该版本。"),
    "note-differs": Wording("与清单一致的 {name}：{wanted}", "重新获取该版本。"),
    "release-dirty": Wording("所有改动都已提交", "提交属于本次发布的改动，撤销其余改动。"),
    "release-example": Wording("自己的地址", "在 ledger.yaml 中设置，或用 --address；仅试用时才用 --allow-example。"),
    "release-month": Wording("{month} 的某一天，即版本 {version} 的月份", "修改日期，或换一个版本号。"),
    "release-not-here": Wording("已发布网站的 {file}", "请给出含有它的目录、归档或地址。"),
    "release-not-later": Wording("晚于 {last} 的版本", "换一个更晚的版本号。"),
    "release-nowhere": Wording("目录、归档，或 http、https 地址", "改正名称。"),
    "release-runtime": Wording("实验所需的运行时", "用 `k3 runtime fetch` 获取。"),
    "release-there": Wording("尚未发布过的版本", "换一个更晚的版本号；发布过的内容不再改动。"),
    "release-too-big": Wording("至多 {limit} 字节", "重新获取该版本。"),
}
"""By code, as in `problems`."""

RELEASE_ZH = {
    "sealed": "版本 {version}，构建 {build}：{files} 个文件，清单 SHA-256 {manifest}",
    "packed": "归档 SHA-256 {archive}；镜像 {image}",
    "to_commit": "请提交：{files}",
    "stale": "evidence/{name}.json：属于构建 {build}，页面会照此注明。"
    "如需更新，请在发布之前用当前代码重新构建后再生成。",
    "verified": "版本 {version}，构建 {build}：{files} 个文件中 {differs} 个不符、{missing} 个缺失，"
    "另有 {extra} 个多余；清单 SHA-256 {manifest}",
    "not_listed": "网址不会列出文件，因此无法判断是否还有多余的文件；托管方可能不对外提供 _headers，能取到时才比对",
    "no_digest": "清单只与同处的 release.json 比对过；用 --digest 可与别处得到的摘要比对",
    "first": "首次发布：{questions} 个问题，{claims} 条论断，{values} 个数值；构建 {build}。",
    "later": "自 {last} 以来：{changes}；构建 {build}。",
    "same": "论断和数值都没有变化",
    "change_added": "新增论断 {count} 条",
    "change_removed": "删除 {count} 条",
    "change_withdrawn": "撤回 {count} 条",
    "change_restored": "恢复 {count} 条",
    "change_upgraded": "等级提高 {count} 条",
    "change_downgraded": "等级降低 {count} 条",
    "change_changed": "改动 {count} 条",
    "change_value": "数值改动 {count} 个",
    "comma": "、",
    "changelog": "变更记录",
}
"""Everything else, by name."""
