#!/bin/sh
# Device code with a bug in it must fail the test of grids, or that of lists: each bug is put into the emitted text, and every one is caught.
#
# usage: mutants.sh GRIDS LISTS DIRECTORY_OF_DEVICE_CODE SOURCE_ROOT WORK_DIRECTORY COMPILER [FLAG...]
#
# With MUTANTS_EVERY=N in the environment only every N-th bug is tried.
set -u

grids=$1
lists=$2
emitted=$3
root=$4
work=$5
shift 5
every=${MUTANTS_EVERY:-1} number=0 caught=0 failed=0
export ASAN_OPTIONS=detect_odr_violation=0 # the program has kernels of the same names
rm -rf "$work"
mkdir -p "$work"

# build SPEC COMPILER...: the shared object of the device code that lies in the work directory.
build() {
    spec=$1
    shift
    "$@" -shared -fPIC -x c -include "$root/tests/cuda/shim.h" -I"$root/runtime/include" "$work/$spec.cu" -o "$work/$spec.so"
}

# The test that a spec belongs to, with the shared object; that of grids for no more than so many exchanges.  A bug may be a
# loop that never ends.
try() (
    unset PROPERTY_TRIES # a sample of exchanges may end before the bug shows
    ulimit -t 60
    case $1 in
    cells | strata) exec "$lists" "$1" "$work/$1.so" ;;
    *) exec "$grids" "$1" "$work/$1.so" ${2:+"$2"} ;;
    esac >"$work/said" 2>&1
)

complain() {
    echo "FAIL $1"
    failed=$((failed + 1))
}

# A bug a line: the spec, and how sed puts it there.
while read -r spec bug; do
    [ "$spec" != halves ] || [ -f "$emitted/halves.cu" ] || continue # with compilers that have them
    number=$((number + 1))
    [ $((number % every)) -eq 0 ] || continue
    sed "$bug" "$emitted/$spec.cu" >"$work/$spec.cu"
    if cmp -s "$emitted/$spec.cu" "$work/$spec.cu"; then
        complain "$bug: changes nothing"
    elif ! build "$spec" "$@"; then
        complain "$bug: does not compile"
    elif try "$spec"; then
        complain "$bug: is not seen"
    else
        caught=$((caught + 1))
        echo "$spec $(sed -n 's/^after \([0-9]*\) exchanges$/\1/p' "$work/said" | tail -n 1)" >>"$work/tried"
    fi
done <<'END'
shorter s/= t->narrowed ? /= !t->narrowed ? /
shorter s/to\[place\[l\]\] = hx_real_8_of_float(hx_float_of_real_8(value\[l\]))/to[place[l]] = value[l]/
shorter s/value <= 32767 ?/value <= 32766 ?/
shorter s/= hx_real_4_of_half(value\[l\])/= hx_real_4_of_bfloat16(value[l])/
wide s/+ n) >> by.shift/) >> by.shift/
wide s/(ptrdiff_t)k \* step\[2\]/(ptrdiff_t)k * step[1]/
wide s/row - k \* at->n\[0\]/row % at->n[1]/
wide s/(HX_CUDA_LOADS \* HX_CUDA_THREADS) + thread/HX_CUDA_THREADS + thread/
wide s/from\[first + l \* HX_CUDA_WARP\]/from[first + l]/
wide s/if (first + l \* HX_CUDA_WARP < words)/if (1)/
wide s/(16 - phase) % 16 \/ 8/0/
wide s/if ((uintptr_t)from % 16 == phase)/if (1)/
wide s/lane < head/lane + 1 < head/
wide s/tail + lane < words/tail + lane + 1 < words/
wide s/pieces, chunk \* (HX_CUDA_CHUNK \/ 16)/pieces, chunk * (HX_CUDA_CHUNK \/ 8)/
wide s/first = chunk \* (HX_CUDA_CHUNK \/ 8)/first = chunk * (HX_CUDA_CHUNK \/ 4)/
wide s/first += HX_CUDA_LOADS \* HX_CUDA_WARP/first += HX_CUDA_THREADS/
wide s/THREADS) % 3;/THREADS) % 2;/
wide s/if ((first + l \* HX_CUDA_THREADS) \/ 3 < m->at.rows)/if (1)/
wide s/i \* m->from.step\[0\] + row_offset(&m->at, m->from.step/i + row_offset(\&m->at, m->to.step/
wide s/term + m->terms/term + m->terms - 1/
wide s/m->terms; ++t/m->terms; t += 2/
wide s/\*number = total/*number += total/
wide s/i \* t->from_step\[0\]/i * m->to_step[0] + 1/
wide s/const hx_word_8 zero = 0/const hx_word_8 zero = 1/
alike s/divided(block >> m->twice, /divided(block, /
alike s/{(block >> m->twice) - /{block - /
alike s/half \* (HX_CUDA_THREADS \/ 2) + //
alike s/threadIdx.x & m->twice/0/
alike s/threadIdx.x >> m->twice/threadIdx.x/
wide s/block \& m->twice, threadIdx.x)/0, threadIdx.x)/
wide s/place_of_block(m, block, base));/place_of_thread(m, block, base));/
alike s/divided(block >> m->twice, m->block)/0/
alike s/ - number \* m->blocks//
alike s/(int)number \* end->next_base/(int)number/
alike s/+ (int)number \* end->next_base//
alike s/+ (int)other \* end->other_base//
alike s/+ (ptrdiff_t)number \* end->next_at//
alike s/+ (ptrdiff_t)other \* end->other_at//
alike s/begin_of(&m->to, number, other/begin_of(\&m->to, other, number/
alike s/+ end->at//
alike s/a->turn\[blockIdx.x\]/a->turn[blockIdx.x \/ 2]/
alike s/turn.block, a->base/blockIdx.x, a->base/
alike s/a->sum + turn.entry/a->sum/
halves s/hx_sum_of_halves(total, value)/(hx_word_2)(total + value)/
patch_plane s/i \* m->from.step\[0\]/i/
patch_plane s/m->sign < 0 ?/m->sign > 0 ?/
patch_plane s/t->sign < 0 ?/t->sign > 0 ?/
quarter_turn_deep s/HX_SYNC();//
quarter_turn_deep s/HX_SYNC();/if (threadIdx.x < 128) { HX_SYNC(); }/
quarter_turn_deep s/shared\[s.i \* pitch + s.j\] = /shared[s.j * pitch + s.i] = /
quarter_turn_deep s/= shared\[s.i \* pitch + s.j\]/= shared[s.j * pitch + s.i]/
quarter_turn_deep s/pitch = (1u << (HX_CUDA_TILE_SHIFT - t.shift)) +/pitch = (1u << (HX_CUDA_TILE_SHIFT - t.shift)) -/
quarter_turn_deep s/s->j < t->n\[1\]/1/
quarter_turn_deep s/m->words - first\[0\]/m->words/
quarter_turn_deep s/j << across/j/
quarter_turn_deep s/m->words >= 16 ? 4 : 3/m->words >= 16 ? 3 : 3/
quarter_turn_deep s/(ptrdiff_t)first\[1\] \* m->to.step\[1\]/(ptrdiff_t)first[1] * m->to.step[0]/
sphere_deep s/m->sign < 0 ? -turned/m->sign > 0 ? -turned/
sphere_deep s/(ptrdiff_t)plane \* m->from.step\[2\]/(ptrdiff_t)plane * m->to.step[2]/
shared_rings s/hx_halved(mean + /(mean + /
shared_rings s/(m, t + 2, base/(m, t + 1, base/
shared_rings s/switch (copies)/switch (copies \/ 2)/
shared_rings s/t += t->copies/t += 2 * t->copies/
shared_rings s/t < term + m->terms; t += t->copies/t < term; t += t->copies/
shared_rings s/total \/ (hx_real_[48])groups/total/
shared_rings s/t = term + 1; t < term/t = term + 2; t < term/
shared_rings s/i \* t->from_step\[0\]/i * t->from_step[1]/
shared_rings s/row_offset(&m->at, t->from_step, row)/row_offset(\&m->at, m->to_step, row)/
cells s/(2u << point/(1u << point/
cells s/points->group + point/point/
cells s/group.before + /1 + group.before + /
cells s/ + a->shift\[run\]//
cells s/index \* points->point/index/
cells s/place->level \* points->level/place->level/
cells s/row - level \* m->at.n\[0\]/row/
cells s/item - row \* m->at.items/0/
cells s/a->turn\[blockIdx.x\].block/blockIdx.x/
cells s/a->listed + a->turn\[blockIdx.x\].entry/a->listed/
cells s/first + l \* HX_CUDA_THREADS/first + l/
cells s/if (item < items)/if (1)/
cells s/to\[item\] = value/to[item + 1] = value/
cells s/] + m->from.at;/];/
cells s/] + m->to.at;/];/
cells s/offset_in_array(a, m, &m->from, item)/offset_in_array(a, m, \&m->to, item)/
cells s/const hx_word_8 zero = 0/const hx_word_8 zero = 1/
cells s/first_addend\[place.point + 1\]/first_addend[place.point] + 1/
cells s/sources + t->source/sources/
cells s/a->source + m->first_source/a->source/
cells s/offset_of(source, t->index/offset_of(source, place.point/
cells s/\*number = total/*number += total/
cells s/total = \*number/total = 0/
cells s/total = total + value/total = value + total * 1.0000001F/
strata s/place->level \* points->level/place->level/
strata s/item - row \* m->at.items/item % 4/
END

# Unchanged, each passes as far as its last bug was seen.
sort -k 1,1 -k 2,2nr "$work/tried" | sort -s -u -k 1,1 >"$work/unchanged"
while read -r spec exchanges; do
    cp "$emitted/$spec.cu" "$work"
    if ! build "$spec" "$@" || ! try "$spec" "$exchanges"; then
        complain "$spec, as it is"
        cat "$work/said"
    fi
done <"$work/unchanged"
echo "$caught bugs caught, $failed failed"
[ "$failed" -eq 0 ]
