# SPDX-License-Identifier: BSD-2-Clause
#
# Completion for fish: verbs, the options of each verb, codes, event names, files. Verbs, options and
# codes come from the tool itself.

# The lines of verbs: "check", a tab, and what it does.
function __pmumap_verbs
    pmumap --help 2>/dev/null | string replace -rf '^  ([a-z]+) +\S.*?  +(.*)' '$1\t$2'
end

function __pmumap_verb
    for word in (commandline -opc)[2..-1]
        if contains -- $word (__pmumap_verbs | string split -f1 \t)
            echo $word
            return
        end
    end
    return 1
end

function __pmumap_options
    pmumap (__pmumap_verb) --help 2>/dev/null | string replace -rf '^  (--[a-z-]+)( \S+)?  +(.*)' '$1\t$3'
end

function __pmumap_codes
    pmumap check --explain all 2>/dev/null | string match -r '^[a-z].*'
end

function __pmumap_follows
    set -l words (commandline -opc)
    contains -- $words[-1] $argv
end

complete -c pmumap -f
complete -c pmumap -n 'not __pmumap_verb' -a '(__pmumap_verbs)'
complete -c pmumap -n 'not __pmumap_verb' -a '--help --version'
complete -c pmumap -n '__pmumap_verb >/dev/null; and string match -q -- "-*" (commandline -ct)' -a '(__pmumap_options)'
complete -c pmumap -n '__pmumap_follows --explain --ignore' -a '(__pmumap_codes)'
complete -c pmumap -n '__pmumap_follows --explain' -a all
complete -c pmumap -n '__pmumap_follows --features' -a 'sscofpmf smcntrpmf can-filter can-interrupt filter'
complete -c pmumap -n '__pmumap_follows --firmware' -a 'opensbi opensbi-1.(seq 9) rustsbi pmumap delegated'
complete -c pmumap -n '__pmumap_follows --linux' -a '5.18 6.1 6.6 6.12 6.18 7.2 none'
complete -c pmumap -n '__pmumap_follows help' -a '(__pmumap_verbs)'
complete -c pmumap -n '__pmumap_verb >/dev/null; and not __pmumap_follows --explain --features --firmware --linux help' -F
complete -c pmumap -n 'contains -- (__pmumap_verb) lookup assign perf' -a 'cycles instructions cache-references
    cache-misses branches branch-misses L1-dcache-loads L1-dcache-load-misses L1-dcache-stores
    L1-icache-load-misses LLC-loads LLC-load-misses dTLB-load-misses dTLB-store-misses iTLB-load-misses'
