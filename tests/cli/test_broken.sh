#!/usr/bin/env bash
# Malformed and unusual files from other projects: each is read, or rejected with its name, quickly.
. "$(dirname "$0")/lib.sh"
need_data broken

while IFS= read -r -d '' file; do
    case ${file##*/} in LICENSE*) continue ;; esac
    checks=$((checks + 1))
    # Must end within 60 s: detection on small meshes is fast, large unusual files are only read.
    timeout 60 "$program" detect "$file" --quiet >stdout 2>stderr
    code=$?
    last="fracas detect $file"
    case $code in
    0) ;;
    1) grep -q '^fracas: ' stderr && grep -qF -- "${file##*/}" stderr || fail "$last: the message does not name the file" ;;
    *) fail "$last: exit $code" ;;
    esac
done < <(find "$data/broken" -type f -print0 | sort -z)
finish
