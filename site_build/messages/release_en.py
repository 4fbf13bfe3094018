"""What `k3 release` and `k3 verify` say, in English."""

from site_build.messages.wording import Wording

RELEASE_PROBLEMS_EN = {
    "address-redirects": Wording("an answer from the address itself", "If that is the right place, verify it there."),
    "address-silent": Wording("an answer", "Check the address and the network."),
    "archive-broken": Wording("a whole .tar or .tar.gz", "Get the archive again."),
    "archive-too-big": Wording("an archive no larger than a site", "Do not unpack it."),
    "archive-unsafe": Wording("files and folders below one root, each once", "Do not unpack it."),
    "digest-differs": Wording(
        "SHA-256 {wanted}, from {source}", "Get the release again, and its digest from another place."
    ),
    "file-differs": Wording("{wanted}", "Put the release's own file there."),
    "file-extra": Wording("no such file", "Remove it, or find out who put it there."),
    "file-missing": Wording("{wanted}", "Put the release's own file there."),
    "image-broken": Wording("a whole OCI image layout with one layer", "Get the image again."),
    "manifest-broken": Wording("a manifest: version, build, and hash and size of each path", "Get the release again."),
    "note-broken": Wording("version, build, manifest, address and date", "Get the release again."),
    "note-differs": Wording("{name} {wanted}, as in the manifest", "Get the release again."),
    "release-dirty": Wording("every change committed", "Commit what belongs to the release, undo the rest."),
    "release-example": Wording(
        "an address of your own", "Set it in ledger.yaml or with --address; --allow-example is for trials."
    ),
    "release-month": Wording(
        "a day of {month}, the month of version {version}", "Set the date, or choose another version."
    ),
    "release-not-here": Wording("{file} of a released site", "Name the folder, archive or address that holds it."),
    "release-not-later": Wording("a version after {last}", "Choose a later one."),
    "release-nowhere": Wording("a folder, an archive, or an http or https address", "Correct the name."),
    "release-runtime": Wording("the runtime that the labs need", "Fetch it with `k3 runtime fetch`."),
    "release-there": Wording(
        "a version not released before", "Choose a later one; what was released is never changed."
    ),
    "release-too-big": Wording("at most {limit} bytes", "Get the release again."),
}
"""By code, as in `problems`."""

RELEASE_EN = {
    "sealed": "release {version}, build {build}: {files} files, manifest SHA-256 {manifest}",
    "packed": "archive SHA-256 {archive}; image {image}",
    "to_commit": "commit: {files}",
    "stale": "evidence/{name}.json: of build {build}, and the pages say so. "
    "Record it again on a build of this tree, then cut the release.",
    "verified": "release {version}, build {build}: {differs} differing, {missing} missing, {extra} extra "
    "of {files} files; manifest SHA-256 {manifest}",
    "not_listed": "an address lists no files: whether it holds more than these cannot be told; "
    "_headers, which a host may keep to itself, is compared where it is served",
    "no_digest": "the manifest was compared with release.json beside it; "
    "--digest compares it with a digest from elsewhere",
    "first": "First release: {claims} claims on {questions} questions, {values} values; build {build}.",
    "later": "Since {last}: {changes}; build {build}.",
    "same": "no claim and no value differs",
    "change_added": "{count} claims added",
    "change_removed": "{count} removed",
    "change_withdrawn": "{count} withdrawn",
    "change_restored": "{count} restored",
    "change_upgraded": "{count} upgraded",
    "change_downgraded": "{count} downgraded",
    "change_changed": "{count} changed",
    "change_value": "{count} values changed",
    "comma": ", ",
    "changelog": "Changelog",
}
"""Everything else, by name."""
