# SPDX-License-Identifier: BSD-2-Clause
#
# Completion for fish. The tool says what to offer.

function __pmumap
    set -l word (commandline -ct)
    pmumap --complete (commandline -opc)[2..-1] "$word" 2>/dev/null
end

complete -c pmumap -f -a '(__pmumap | string match -rv "^\tfiles")'
complete -c pmumap -n '__pmumap | string match -qr "^\tfiles"' -F
