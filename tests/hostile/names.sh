#!/bin/sh
# Names that would break out of a comment, a string or a directory, words of other languages, and names that become equal
# in emitted code: each is refused where it stands, wherever a spec can name something.
. "$(dirname "$0")/guard.sh"
tables=$(cd "$OLDPWD" && realpath "$(dirname "$0")")
first='local grid = cartesian { axes = "xy" } local like = { on = grid, type = "double", halo = 1 }
local p, list = field "q" (like), {}'

# As each_line, for what cannot stand twice in a spec.
one_by_one() {
    while IFS='	' read -r name words; do
        printf '%s\t%s\n' "$name" "$words" >row
        each_line "$1" row "$3" "$4"
    done <"$2"
}

sed '1,2d; s/   */\t/' "$tables/names.txt" >shapes
awk 'NR > 2 { for (i = 2; i <= NF; ++i) printf "\"%s\"\t%s\n", $i, $1 == "macro" ? "is a macro of C" : "is a word of " $1 }' \
    "$tables/words.txt" >reserved

whole='return spec "test" { exchange "e" { field "p" (like) } }'
for list in shapes reserved; do
    split -l 20 "$list" part.
    for rows in part.*; do
        each_line "fields_$list" "$rows" 'field(@)(like)' "$whole"
        each_line "exchanges_$list" "$rows" 'table.insert(list, exchange(@) { p })' 'return spec "test" (list)'
        each_line "vectors_$list" "$rows" 'vector(@) { field "v" (like), field "w" (like) }' "$whole"
    done
    rm part.*
    one_by_one "specs_$list" "$list" 'return spec(@) { exchange "e" { field "p" (like) } }'
done

# A struct may have any name that a typedef can have; a header is the name of a file; an axis has a short name.
sed '/two in a row$/d; /at its end$/d; s/\t\(no letter\|does not start .*\|is empty\)$/\tis no identifier of C/' shapes >typedefs
printf '"%s"\t%s\n' int32_t 'that every spec has' double 'a word of C' hx_cell 'starts with hx_' MPI_Cell 'starts with mpi_' \
    memcpy 'that emitted code uses' p 'that field "p" uses' >>typedefs
sed 's/\t.*/\tcannot be the name of an axis/' shapes >axes
for list in typedefs reserved; do
    split -l 80 "$list" part.
    for rows in part.*; do
        each_line "structs_$list" "$rows" 'list[1] = struct { name = @, header = "cell.h", size = 8, align = 8 }' "$whole"
    done
    rm part.*
done
each_line axes axes 'list[1] = cartesian { axes = { @, "x" } }' "$whole"
sed 's/   */\t/' >headers <<'END'
""                           is empty
"a b.h"                      has a character
"a*/ int x; /*.h"            has a character
"a\nb.h"                     has a character
"a\0.h"                      has a character
"a\"b.h"                     has a character
"a>\n#include <b.h"          has a character
"a\\b.h"                     has a character
"??/"                        has a character
"$(os.exit())"               has a character
"\27[31m.h"                  has a character
"é.h"                        has a character
"-rf"                        starts with -
"/etc/passwd"                is an absolute path
"a//b.h"                     has // in it
"a/"                         ends with /
".."                         is a directory
"a/.."                       is a directory
"."                          is a directory
"test.h"                     is the header that halogen writes
"./test.h"                   is the header that halogen writes
"q/../test.h"                is the header that halogen writes
"a/b/.././../test.h"         is the header that halogen writes
("a"):rep(256)               has 256 characters
("a"):rep(10000000)          has 10000000 characters
END
each_line headers headers 'list[1] = struct { name = "cell", header = @, size = 8, align = 8 }' "$whole"

# Names that are fine alone, and meet in upper case, with an ending, or in what every spec has.
emitted="in the emitted code"
for name in Q q_at e_start E e_finish fields exchanges shape partition shape_dense points create create_blocks \
    destroy describe traffic spec alloc free shape_best shape_of set_boundary; do
    printf '"%s"\t%s\n' "$name" "$emitted"
done >collisions
each_line exchanges_collide collisions 'table.insert(list, exchange(@) { p })' \
    'return spec "test" { exchange "e" { p }, table.unpack(list) }'
printf '"%s"\t%s\n' Q "$emitted" q 'a second field "q"' fields "$emitted" exchanges "$emitted" hx_rank 'starts with hx_' \
    HX_RANK 'starts with hx_' MPI_Comm 'starts with MPI_' PMPI_Init 'starts with PMPI_' int32_t 'is a type of C' \
    SIZE_MAX 'is a macro of C' >collisions
each_line fields_collide collisions 'field(@)(like)' 'return spec "test" { exchange "e" { p } }'
while read -r kind names; do
    for name in $names; do
        printf '"%s"\t%s\n' "$name" "$(echo "$kind" | tr _ ' ')"
    done
done >collisions <<'END'
is_a_header math MATH mpi hx string time uchar
is_a_function malloc exit write
is_the_start_of_macros size int32 posix
starts_with_mpi mpi_x MPI_X
starts_with_hx hx_x
starts_with_cuda cudaX
starts_with_halogen halogen halogen_x
has_one_character x
emitted_code_uses_the_word handle nx sx to_sx from_sx side_i from_i shape
END
one_by_one spec_collides collisions 'return spec(@) { exchange "e" { p } }'
finish
