#!/bin/sh
# Specs that do not end, or grow without end: each is a spec error in words, and soon.
. "$(dirname "$0")/stand-in.sh"

mkdir many
for i in $(seq 300); do echo >"many/$i.lua"; done
head -c 40000000 /dev/zero | tr '\000' ' ' >many/large.lua
cp many/large.lua many/second.lua

# limit NAME WORDS: the spec comes on standard input; its message must have the words.
limit() {
    cat >"$1.lua"
    printf '%s\n' "$2" >"$1.words"
    sh -c '"$0" --templates modules "$1.lua" -o out >"$1.said" 2>&1; echo $? >"$1.code"; times >"$1.times"' "$halogen" "$1"
}

# What its processes took of a processor, which is no more on a machine that others use: whole seconds.
seconds() {
    awk 'NR == 2 { split($1 "m" $2, part, "m"); print int(60 * (part[1] + part[3]) + part[2] + part[4]) }' "$1.times"
}

# Those that only the clock can end wait side by side.

limit finalizer 'did not finish within 5 seconds [HG0001]' <<'END' &
setmetatable({}, { __gc = function() while true do end end })
collectgarbage()
END

limit pattern 'did not finish within 5 seconds [HG0001]' <<'END' &
host.seal()
pcall(string.find, ("a"):rep(60000), ".-.-.-.-b")
END

# meanwhile NAME COMMAND...: the command has $child, the process that computes for the spec NAME.lua.
meanwhile() {
    "$halogen" --templates modules "$1.lua" -o out >"$1.said" 2>&1 &
    parent=$! child=
    for i in $(seq 500); do
        { read -r child </proc/$parent/task/$parent/children; } 2>/dev/null
        [ -z "$child" ] || break
        sleep 0.01
    done
    shift
    [ -z "$child" ] || "$@"
    wait $parent
}

if [ -r "/proc/$$/task/$$/children" ]; then
    # Where others are first, a spec waits for its turn, and is all the same well.
    cat >starved.lua <<'END'
local start = os.clock()
while os.clock() - start < 0.3 do end
host.report { severity = "warning", code = "HGTEST", message = "slow, but well" }
END
    (meanwhile starved eval 'kill -STOP $child && sleep 6.5 && kill -CONT $child'; echo $? >starved.code) &
    echo 'slow, but well' >starved.words

    # Stopped for good, the child cannot even end itself.
    echo 'pcall(string.find, ("a"):rep(60000), ".-.-.-.-b")' | tee stopped.lua >killed.lua
    (meanwhile stopped eval 'kill -STOP $child'; echo $? >stopped.code) &
    echo 'did not finish within 5 seconds [HG0001]' >stopped.words
    (meanwhile killed eval 'kill -KILL $child'; echo $? >killed.code) &
    echo 'needs more than 256 MiB of memory [HG0003]' >killed.words
else
    echo "not tried: a child that is stopped or killed, because it cannot be found without /proc"
fi

limit loop 'loop.lua:2: error: the spec did not finish within 50 million steps of Lua [HG0002]' <<'END'
local function spin()
  while true do end
end
spin()
END

limit protected 'did not finish within' <<'END'
while true do pcall(function() while true do end end) end
END

limit coroutine 'did not finish within' <<'END'
coroutine.wrap(function() while true do end end)()
END

limit string 'needs more than 256 MiB of memory [HG0003]' <<'END'
pcall(string.rep, "x", 1000000000)
END

limit table 'needs more than 256 MiB of memory [HG0003]' <<'END'
local t = {}
while true do pcall(function() t[#t + 1] = ("x"):rep(1000):rep(1000 + #t) end) end
END

# A system that has less memory than that.
small="ulimit -v $((64 << 10))"
if sh -c "$small && '$halogen' --version" >/dev/null 2>&1; then
    printf '%s\n' 'pcall(string.rep, "x", 100000000)' >less.lua
    expect 1 'needs more than 256 MiB of memory [HG0003]' \
        sh -c "$small && exec '$halogen' --templates modules less.lua -o out"
else
    echo "not tried: little memory, because this halogen needs more by itself"
fi

limit recursion 'stack overflow' <<'END'
local function f() return 1 + f() end
f()
END

limit parentheses 'overflow' <<'END'
assert(host.compile("return " .. ("("):rep(300) .. "1" .. (")"):rep(300), "=deep", {}))
END

limit bytecode 'attempt to load a binary chunk' <<'END'
assert(host.compile(string.dump(function() end), "=binary", {}))
END

limit print 'leads to more than 16 MiB of printed text [HG0006]' <<'END'
while true do pcall(host.print, ("x"):rep(1000):rep(1000)) end
END

limit outputs 'leads to more than 64 MiB of generated code, or to too many files [HG0005]' <<'END'
for i = 1, 1000 do pcall(host.output, ("f%d.h"):format(i), "") end
END

limit output 'leads to more than 64 MiB of generated code, or to too many files [HG0005]' <<'END'
local text = ("x"):rep(1 << 10):rep(40 << 10)
host.output("a.h", text)
host.output("b.h", text)
END

limit diagnostics '900 more diagnostics are not shown [HG0007]' <<'END'
local text = ("x"):rep(10000)
for i = 1, 1000 do
  host.report { severity = "error", code = "HGTEST", message = i .. text }
end
END

limit includes 'includes more than 256 files, or more than 64 MiB [HG0004]' <<'END'
for i = 1, 1000 do host.read(("many/%d.lua"):format(i)) end
END

limit large 'large.lua:2: error: the spec includes more than 256 files, or more than 64 MiB [HG0004]' <<'END'
host.read "many/large.lua"
host.read "many/second.lua"
END

# A child that cannot write files, even where nothing of ours would stop it.
limit writer 'was ended by signal' <<'END'
local file = io.open("written", "w")
file:write("x")
file:close()
END

# Once files are read, the child can compute and tell; other calls of the system end it, and no Lua code can catch that.
limit sealed 'sealed, and well' <<'END'
host.seal()
local numbers, text = {}, ("x"):rep(1 << 20):rep(60)
for i = 1, 100000 do numbers[i] = (i * 7919) % 100003 end
table.sort(numbers)
collectgarbage()
host.report { severity = "warning", code = "HGTEST", message = "sealed, and well" }
END
if "$halogen" --version | grep -q seccomp; then
    while read -r call; do
        printf 'host.seal()\npcall(function() %s end)\nhost.report { severity = "error", message = "went on" }\n' "$call" >call.lua
        expect 3 "asked the system for something that a spec never needs, and was ended [HG0009]" \
            "$halogen" --templates modules call.lua -o out
    done <<'END'
os.execute("true")
io.popen("true")
io.open("call.lua")
io.open("written", "w")
io.stdin:read(1)
os.remove("call.lua")
os.tmpname()
host.read("many/1.lua")
END
    [ -e call.lua ] || complain "a sealed child removed a file"
else
    echo "not tried: a filter of system calls, which this halogen has not"
fi

wait
for words in *.words; do
    name=${words%.words}
    if [ "$name" = loop ] && [ "$(seconds loop)" -ge 4 ]; then # so slow a machine comes to the other limit first
        echo 'did not finish within' >"$words"
    fi
    grep -qF "$(cat "$words")" "$name.said" || complain "$name: $(head -c 1000 "$name.said")"
    # The child has 5 seconds.
    [ ! -e "$name.times" ] || [ "$(seconds "$name")" -le 8 ] || complain "$name: $(seconds "$name") seconds of a processor"
    [ "$(wc -c <"$name.said")" -lt 1000000 ] || complain "$name: too much said"
    case $name in
    starved | sealed) [ "$(cat "$name.code")" -eq 0 ] || complain "$name: exit code $(cat "$name.code")" ;;
    writer) [ "$(cat "$name.code")" -eq 3 ] || complain "$name: exit code $(cat "$name.code")" ;;
    *) [ "$(cat "$name.code")" -eq 1 ] || complain "$name: exit code $(cat "$name.code")" ;;
    esac
done
[ ! -s written ] || complain "the child wrote a file"
expect_absent out
finish
