# Sourced by the tests of the whole program: a place of their own, and stand-ins for our Lua modules and templates,
# so that these tests look at the C program alone.
#
# The stand-in for lua/main.lua runs the spec as a plain chunk, in a protected call as the real one does, with `host`
# and all libraries in sight.

halogen=$(realpath "$1")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
mkdir -p modules/lua
cat >modules/lua/main.lua <<'END'
local spec = host.options.spec
local function fail(message)
  host.report { severity = "error", code = "HGTEST", file = spec, message = tostring(message) }
end
local text, message = host.read(spec)
if not text then return fail(message) end
local run, wrong = host.compile(text, "@" .. spec, setmetatable({}, { __index = _G }))
if not run then return fail(wrong) end
local done, problem = pcall(run)
if not done then fail(problem) end
END

failures=0

complain() {
    failures=$((failures + 1))
    printf 'FAILED %s\n' "$*"
}

# expect CODE WORDS COMMAND...: the exit code, and words that standard output or standard error must have.
expect() {
    code=$1 words=$2
    shift 2
    said=$("$@" 2>&1)
    got=$?
    [ "$got" -eq "$code" ] || complain "exit code $got, not $code: $*: $said"
    case $said in
    *"$words"*) ;;
    *) complain "no '$words' from: $*: $said" ;;
    esac
}

# expect_file FILE CONTENT
expect_file() {
    [ "$(cat "$1" 2>&1)" = "$2" ] || complain "$1 has '$(cat "$1" 2>&1)', not '$2'"
}

expect_absent() {
    [ ! -e "$1" ] || complain "$1 exists"
}

finish() {
    [ "$failures" -eq 0 ] && echo "all as expected"
    exit "$failures"
}
