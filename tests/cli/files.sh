#!/bin/sh
# Outputs whole or not at all, the depfile, and runs that disturb each other.
. "$(dirname "$0")/stand-in.sh"

run() {
    "$halogen" "$@" --templates modules
}

mark="Emitted by halogen"

# pair TEXT: a spec with two outputs, which say that they are halogen's, as emitted code does.
pair() {
    printf 'host.output("a.h", "%s\\n")\nhost.output("a.c", ("%s\\n"):rep(5000))\n' "$mark: $1" "$mark: $1" >a.lua
}

pair old
expect 0 "" run a.lua -o out/deep --depfile out/a.d
expect_file out/deep/a.h "$mark: old"
expect_file out/a.d "out/deep/a.h out/deep/a.c: a.lua modules/lua/main.lua
modules/lua/main.lua:"

# Keep-unchanged: only what changed gets a new date.
touch -d 2001-01-01 out/deep/a.h out/deep/a.c reference
expect 0 "" run a.lua -o out/deep --keep-unchanged
[ out/deep/a.c -nt reference ] && complain "an unchanged file has a new date"
expect 0 "" run a.lua -o out/deep
[ out/deep/a.c -nt reference ] || complain "a file was not written"

# A stamp gets the date that they keep, and is what the rule is of.
touch -d 2001-01-01 out/deep/a.h out/deep/a.c
for i in 1 2; do
    touch -d 2001-01-01 out/a.stamp 2>/dev/null
    expect 0 "" run a.lua -o out/deep --stamp out/a.stamp --depfile out/a.d
    [ out/deep/a.c -nt reference ] && complain "an unchanged file has a new date"
    [ out/a.stamp -nt reference ] || complain "the stamp has an old date"
done
expect_file out/a.d "out/a.stamp: a.lua modules/lua/main.lua
modules/lua/main.lua:"
echo mine >stamp
expect 2 "'stamp' was not written by halogen; name another file with --stamp, or delete the file" run a.lua -o out/deep --stamp stamp
expect 0 "" run a.lua -o out/deep

# All or nothing: a directory in the way, a file in the way, a full disk, a directory that cannot be written.
pair new
mkdir -p blocked/a.c
expect 2 "'blocked/a.c' is a directory; halogen replaces only files that it wrote" run a.lua -o blocked
expect_absent blocked/a.h
expect 2 "cannot write 'a.lua/x/a.h': Not a directory" run a.lua -o a.lua/x
expect 2 "cannot write 'out/deep/a.c': File too large; no file was changed" \
    sh -c "ulimit -f 8; '$halogen' --templates modules a.lua -o out/deep --depfile out/a.d"
expect_file out/deep/a.h "$mark: old"
mkdir closed
chmod a-w closed
if ! touch closed/x 2>/dev/null; then
    expect 2 "cannot write 'closed/a.h': Permission denied" run a.lua -o closed
else
    echo "not tried: a directory closed to its owner, because root may write there; a read-only disk is tried instead"
fi

# on_disk OPTIONS EXPECTED-MESSAGE: writes to a small file system of its own.
mkdir disk
on_disk() {
    mount_disk="mount -t tmpfs -o $1 none disk"
    if unshare --map-root-user --mount sh -c "$mount_disk" 2>/dev/null; then
        expect 2 "$2; left: ." unshare --map-root-user --mount sh -c "$mount_disk
            '$halogen' --templates modules a.lua -o disk 2>said
            code=\$?
            echo \"\$(head -n 1 said | sed 's/ .HG.*//'); left: \$(ls -A disk).\"
            exit \$code"
    else
        echo "not tried: a disk mounted with $1, because this user may not make namespaces"
    fi
}
on_disk size=8k "cannot write 'disk/a.c': No space left on device; no file was changed"
on_disk ro "cannot write 'disk/a.h': Read-only file system; no file was changed"
[ "$(ls -A out out/deep blocked | grep -c tmp)" -eq 0 ] || complain "temporary files are left"

# A spec error changes nothing either.
pair wrong
echo 'error "late"' >>a.lua
expect 1 "late" run a.lua -o out/deep --depfile out/a.d
expect_file out/deep/a.h "$mark: old"

# Files of somebody else stay: those that have something in them, but not the words of emitted code near their start.
pair new
mkdir own
echo "int main(void);" >own/a.c
refusal="'own/a.c' was not written by halogen; use another directory with -o, rename the spec, or delete the file"
expect 2 "halogen: error: $refusal [HG0008]" run a.lua -o own --depfile own/d
expect_file own/a.c "int main(void);"
expect_absent own/a.h
expect_absent own/d
{ head -c 9000 /dev/zero | tr '\000' ' ' && echo "$mark"; } >own/a.c
expect 2 "$refusal" run a.lua -o own --keep-unchanged
: >own/a.c
echo "own/a.h: its own rules" >own/d
expect 0 "" run a.lua -o own --depfile own/d
expect_file own/a.h "$mark: new"
expect 0 "" run a.lua -o own --depfile own/d
rm own/a.c
echo "$mark" >numbered.c
ln -s ../numbered.c own/a.c
expect 2 "'own/a.c' is a symbolic link; halogen replaces only files that it wrote" run a.lua -o own
expect_file numbered.c "$mark"

# The same for the depfile, which is known as a rule for files that halogen wrote.  refuses_depfile FILE WORDS
refuses_depfile() {
    ls -l "$1" >"$place.before" 2>&1
    expect 2 "$2" run a.lua -o own2 --depfile "$1"
    expect_absent own2/a.h
    ls -l "$1" 2>&1 | cmp -s - "$place.before" || complain "--depfile $1 changed it"
    rm "$place.before"
}
not_ours="was not written by halogen; name another file with --depfile, or delete the file"
echo "dear diary: " >letter
refuses_depfile letter "'letter' $not_ours"
printf 'a.h: a.lua\n\thalogen $< -o .\n' >Makefile
refuses_depfile Makefile "'Makefile' $not_ours"
printf 'b.h b.c: b.lua\n' >b.d
refuses_depfile b.d "'b.d' $not_ours"
refuses_depfile ./a.lua "'./a.lua' was read by this run; write to another place"
: >modules/empty.tmpl
cp a.lua plain.lua
echo 'host.template("empty.tmpl")' >>a.lua
refuses_depfile modules/empty.tmpl "'modules/empty.tmpl' was read by this run"
mv plain.lua a.lua
refuses_depfile own2/./a.c "'own2/./a.c' would be two files at once; name another one"
mkdir own2/d
refuses_depfile own2/d "'own2/d' is a directory; halogen replaces only files that it wrote"
ln -s letter own2/link
refuses_depfile own2/link "'own2/link' is a symbolic link; halogen replaces only files that it wrote"
if mknod null c 1 3 2>/dev/null; then
    refuses_depfile null "'null' is no regular file; halogen replaces only files that it wrote"
else
    refuses_depfile /dev/null "'/dev/null' is no regular file; halogen replaces only files that it wrote"
fi
echo "$mark" >own2/b.h
printf 'own2/b.h own2/b.c: b.lua\n' >b.d
expect 0 "" run a.lua -o own2 --depfile b.d
expect 0 "" run a.lua -o own2 --depfile ./b.d
expect_file b.d "own2/a.h own2/a.c: a.lua modules/lua/main.lua
modules/lua/main.lua:"

# The dump and the list write nothing.
pair new
expect 0 "" run a.lua --list-outputs -o none
expect 0 "" run a.lua --dump plan -o none
expect_absent none

# Spaces, # and $ in paths, as make reads them.
mkdir 'my $dir #1'
cp a.lua 'my $dir #1/a b.lua'
expect 0 "" run 'my $dir #1/a b.lua' -o 'o $1' --depfile 'o $1/d'
expect_file 'o $1/d' 'o\ $$1/a.h o\ $$1/a.c: my\ $$dir\ \#1/a\ b.lua modules/lua/main.lua
modules/lua/main.lua:'
if make --version >/dev/null 2>&1; then
    expect 2 "No rule to make target 'my \$dir #1/a b.lua'" \
        sh -c 'mv "my \$dir #1" away; make -f "o \$1/d"; code=$?; mv away "my \$dir #1"; exit $code'
fi

# Several at once into one directory: each succeeds, each file is whole, none is left over.
echo "for i = 1, 8 do host.output(i .. '.h', '$mark' .. ('x'):rep(982 + 999 * 1000)) end" >large.lua
for i in 1 2 3 4 5 6; do
    { run large.lua -o together --depfile together/d || echo failed >>failed; } &
done
wait
expect_absent failed
[ "$(ls together | tr '\n' ' ')" = "1.h 2.h 3.h 4.h 5.h 6.h 7.h 8.h d " ] || complain "together: $(ls -A together)"
[ "$(cat together/*.h | wc -c)" -eq 8000000 ] || complain "a file is not whole"
[ "$(ls -A together | wc -l)" -eq 9 ] || complain "together: $(ls -A together)"

# Stopped half-way.  A run that compares with a pipe stands still there, with the first file in its temporary place.
stop_at_pipe() {
    rm -rf held aside
    mkdir held
    echo "$mark: before" >held/a.h
    mkfifo held/a.c
    "$halogen" a.lua -o held --keep-unchanged --templates modules &
    for i in $(seq 500); do
        ls held/.a.h.*.tmp >/dev/null 2>&1 && break
        sleep 0.01
    done
    ls held/.a.h.*.tmp >/dev/null 2>&1 || complain "no temporary file of held/a.h is seen while halogen waits: $(ls -A held)"
    kill "-$1" $!
    mv held/a.c aside
    echo "$mark: before" >held/a.c
    timeout 1 sh -c ': >aside'
    wait $! 2>/dev/null
}

stop_at_pipe KILL
expect_file held/a.h "$mark: before"
expect_file held/a.c "$mark: before"
stop_at_pipe TERM
expect_file held/a.h "$mark: new"
[ "$(wc -l <held/a.c)" -eq 5000 ] || complain "an interrupted run left half of a pair, or of a file"
[ "$(ls -A held | wc -l)" -eq 2 ] || complain "an interrupted run left: $(ls -A held)"

# The same bytes whatever the user's settings are.
echo 'host.output("n.h", ("%.3f %s %s"):format(1.5, ("i"):upper(), "a" < "B"))' >numbers.lua
for locale in C C.UTF-8 tr_TR.UTF-8 de_DE.UTF-8; do
    expect 0 "" env LC_ALL=$locale TZ=Asia/Tokyo "$halogen" numbers.lua -o "in $locale" --templates modules
    expect_file "in $locale/n.h" "1.500 I false"
done
finish
