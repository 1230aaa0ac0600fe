# Completion of qanat for fish.
function __qanat_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (qanat completion complete -- $words[2..-1] "$current" 2>/dev/null)
    set -l part $lines[1]
    set -e lines[1]
    set -q lines[1]; and printf '%s\n' $lines
    set -l before (string match -r -- '^--[^=]*=' "$current")
    set -l path (string replace -r -- '^--[^=]*=' '' "$current" | string unescape)
    switch "$part"
        case files
            printf "$before%s\n" (__fish_complete_path $path)
        case folders
            printf "$before%s\n" (__fish_complete_directories $path '')
    end
end
complete -c qanat -f -k -a '(__qanat_complete)'
