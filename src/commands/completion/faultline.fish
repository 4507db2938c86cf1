# Completion of faultline for fish. Try it: faultline completion fish | source
function __faultline_complete
    set -l before (commandline -opc)
    $before[1] complete -- $before[2..-1] (commandline -ct) 2>/dev/null
end
function __faultline_wants_files
    __faultline_complete | string match -q ':files'
end
complete -c faultline -f -a '(__faultline_complete | string match -v ":files")'
complete -c faultline -n __faultline_wants_files -F
