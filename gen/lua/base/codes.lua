-- The index of diagnostics: every code that halogen can report, in the order of codes.
--
--   code    HG00xx are of the program, HG10xx to HG18xx of the language of specs, HG20xx of the proof.  A code keeps
--           its meaning for ever: one that is no longer used is removed, and its number is not given again
--   title   what is the matter, in a few words
--   cause   what is wrong, and why halogen minds
--   cure    what to do about it
--   write   where it helps: what the place may look like then, one line of a spec or of a shell
--
-- `halogen diagnostic CODE` prints an entry; the manual page halogen-spec(5) has them all.  Line ends in texts count as
-- spaces.

local fault = [[This is a fault of halogen, or of a module given with --templates. Please report it, with the spec.]]

return {
  -- ---- the program --------------------------------------------------------------------------------------------------

  { code = "HG0001", title = "the spec takes too many seconds",
    cause = [[A spec may compute for a few seconds only, so that no mistake in one can hold up a build. Its proof counts, too:
      then the message says so, and names the exchange.]],
    cure = [[Look for a loop that does not end, or for one that does too much. Where it is the proof, make widths smaller or
      divide the spec into several: every width and every place of points is proved by itself. On an emulator, under Valgrind or on a
      very busy machine, set HALOGEN_PATIENCE in the environment: the limit becomes so many times as long.]],
    write = "HALOGEN_PATIENCE=20 halogen channel.lua -o out" },
  { code = "HG0002", title = "the spec takes too many steps of Lua",
    cause = [[The number of steps that a spec may take is bounded, so that the same spec passes or fails on every
      machine. Those of its proof count, too: then the message says so, and names the exchange.]],
    cure = [[Look for a loop that does not end, or for one that does too much; the line named is where the spec was
      when it was stopped. Where it is the proof, make widths smaller or divide the spec into several: every width and every
      place of points is proved by itself.]] },
  { code = "HG0003", title = "the spec needs too much memory",
    cause = [[The memory of a spec is bounded, so that no mistake in one can take a machine down.]],
    cure = [[Look for a string or a table that grows without end.]] },
  { code = "HG0004", title = "the spec includes too much",
    cause = [[The number and the size of the files that a spec may include are bounded.]],
    cure = [[Look for an include inside a loop. A file that is included several times counts once.]] },
  { code = "HG0005", title = "too much code would be generated",
    cause = [[Emitted code is bounded in files and bytes: what goes beyond is hardly meant, and no compiler would like
      it.]],
    cure = [[Divide the spec into several. Fields that are alike can be one field with components.]] },
  { code = "HG0006", title = "too much text would be printed",
    cause = [[What --dump prints is bounded, as emitted code is.]],
    cure = [[Divide the spec into several, or dump an earlier stage: model says less than links, and links less than
      plan.]] },
  { code = "HG0007", title = "more diagnostics than are shown",
    cause = [[There were more diagnostics than one run shows.]],
    cure = [[Mend the first ones and run again; one mistake often causes many.]] },
  { code = "HG0008", title = "a file cannot be written",
    cause = [[The operating system refused to write an output, or standard output; or something that halogen did not
      write stands where an output should go. No file was changed, unless the message says so.]],
    cure = [[Give another directory, make room or get leave to write there. Move a file of your own out of the way:
      halogen replaces only files in which it finds its own mark, and depfiles that are a rule for such files. It
      replaces no link, no device and nothing that it has read.]],
    write = "halogen channel.lua -o generated" },
  { code = "HG0009", title = "an error of halogen itself",
    cause = [[Something went wrong in halogen, or in modules or templates given with --templates, that is not the
      fault of the spec.]],
    cure = [[Please report it, with the spec and the whole text of the message. If you use --templates, try without.]]
      },
  { code = "HG0010", title = "wrong usage",
    cause = [[The command line asks for nothing that halogen can do, or for two things at once. Or a file that it
      names, such as that of --machine or a trace, is not what it should be.]],
    cure = [[Do as the message says; halogen --help lists the commands, and halogen COMMAND --help the options of one.]] },
  { code = "HG0011", title = "a file is not what the spec gives",
    cause = [[halogen generate --compare compares files with what it would write, and this one is missing or different: the spec,
      its options or halogen have changed since it was written, or somebody edited it.]],
    cure = [[Run the same command without --compare to write the file. If you edited it, take the change into a template
      or into your own code, since it would be lost.]] },

  -- ---- the language -------------------------------------------------------------------------------------------------

  { code = "HG1001", title = "the text is no Lua",
    cause = [[A spec is a Lua program, and Lua cannot read this text; the place is where it noticed, and the mistake
      is there or before it.]],
    cure = [[Look for a comma that is missing at the end of the line before, for a bracket that is not closed, or for
      a string without its end.]] },
  { code = "HG1002", title = "the spec failed while it ran",
    cause = [[Lua could not do what stands here, for example look into a variable that holds nothing, or the spec
      itself called error or assert.]],
    cure = [[Mend the line. halogen --dump model shows what a spec makes; there is no print in it.]] },
  { code = "HG1003", title = "unknown name",
    cause = [[No variable and no function has this name here: it is misspelled, declared further down, or declared
      inside a block that has ended.]],
    cure = [[Spell it as it was declared, and declare it before.]],
    write = 'local grid = cartesian { axes = "xyz" }' },
  { code = "HG1004", title = "a global variable is set",
    cause = [[A spec sets no globals, so that files which it includes cannot disturb each other, and a misspelled name
      does not go unnoticed.]],
    cure = [[Write local before it.]],
    write = 'local u = field "u" { on = grid, type = "double", halo = 1 }' },
  { code = "HG1005", title = "a file cannot be read",
    cause = [[The spec, or a file that it includes, is missing, cannot be read, is no text in UTF-8, or lies outside
      the directory of the spec, where includes are not allowed.]],
    cure = [[Names are relative to the file that includes. Move shared files below the directory of the spec.]],
    write = 'local grid = include "grids/ocean.lua"' },
  { code = "HG1006", title = "a file includes itself",
    cause = [[A file is evaluated before include returns its values; one that includes itself, perhaps by way of
      another, would never end.]],
    cure = [[Move what both files need into a third one, and include that in both.]] },
  { code = "HG1007", title = "the file returns no spec",
    cause = [[halogen takes the spec that the file returns, and this file returns nothing, something else, or more.]],
    cure = [[Write return before spec, at the end of the file.]],
    write = 'return spec "channel" { exchange "pressure" { p } }' },
  { code = "HG1008", title = "not available in a spec",
    cause = [[A spec means the same everywhere and ends soon, so it has no access to files, clock, environment or
      random numbers, and no pattern matching, which can run forever.]],
    cure = [[Write the value out, or compute it with what there is: string.sub and string.byte, table, utf8, and math
      without random numbers.]] },
  { code = "HG1009", title = "what a verb returned is used otherwise",
    cause = [[What field, cartesian and the other verbs return stands for what was made: it can be passed on, but not
      be looked into, changed, or given a second table.]],
    cure = [[Keep what you need more than once in a variable of its own, and call the verb again for another one.]],
    write = "local layers = 2" },
  { code = "HG1010", title = "an entry of a table is nothing",
    cause = [[A table has no place for nothing: Lua leaves it out, or a gap. The exchange would carry one field less than you
      wrote.]],
    cure = [[Look where the variable is set. Where something may be missing on purpose, begin with a list of the others, and add
      it by table.insert if it is there.]],
    write = "if ice then table.insert(list, ice) end" },
  { code = "HG1011", title = "values that a table drops",
    cause = [[In a table Lua keeps all values of ... or of a call only if it is the last entry, keys counted, too. Elsewhere the
      first one stays, and the others get lost in silence.]],
    cure = [[Write it last, behind the keys. If only the first is meant, write it in parentheses.]],
    write = 'fields { on = grid, type = "double", ... }' },
  { code = "HG1012", title = "a parameter that is declared wrongly",
    cause = [[A parameter has a default, a type ("integer", "number", "boolean" or "string", or that of the default), and may have
      min and max, or values for a string, and a text. The default must be one of the values that it can have.]],
    cure = [[Write it as in halogen-spec(5).]],
    write = 'local radius = param "radius" { default = 2, min = 1, max = 8 }' },
  { code = "HG1013", title = "no such parameter",
    cause = [[The command line gives a value, by -D, to a parameter that the spec does not declare, or two values to one.]],
    cure = [[halogen params SPEC lists the parameters of a spec.]],
    write = "halogen params channel.lua" },
  { code = "HG1014", title = "a value that a parameter cannot have",
    cause = [[The value that -D gives is of another type, or out of range.]],
    cure = [[Give one of the type and range that the message names. Integers and numbers are decimal; a boolean is true or false.]],
    write = "halogen channel.lua -o out -D radius=4" },
  { code = "HG1101", title = "unknown key",
    cause = [[A table has a key that means nothing here. It would be ignored, and the spec would not mean what you
      wrote.]],
    cure = [[Spell it as in halogen-spec(5), or remove it.]],
    write = 'local u = field "u" { on = grid, type = "double", halo = 2 }' },
  { code = "HG1102", title = "a value of the wrong kind",
    cause = [[What stands here is a number, a string, a table or something else where another kind is needed. Numbers
      of layers, points and cells are integers: 2.0 is refused, since a computed one might not be exact.]],
    cure = [[Write what the help says; if a variable stands here, look at what it holds. In a computation write // for
      division.]],
    write = "halo = { x = 2, y = { lo = 1, hi = 2 } }" },
  { code = "HG1103", title = "something is not given",
    cause = [[A verb was called without its table, or its table lacks a key that has no default.]],
    cure = [[Add it. A verb with a name takes its table right behind it, without parentheses and comma.]],
    write = 'local u = field "u" { on = grid, type = "double", halo = 1 }' },
  { code = "HG1104", title = "a key of a later version",
    cause = [[The key is known, but this version of halogen cannot do what it asks for, and will not ignore it.]],
    cure = [[Leave it out, or use a newer halogen; the help says what this one does instead.]] },
  { code = "HG1105", title = "unknown word",
    cause = [[The value is one of a few words, and this is none of them.]],
    cure = [[Write one of the words that the help lists.]],
    write = 'exchange "e" { u, stencil = "star" }' },
  { code = "HG1106", title = "components lie in two places",
    cause = [[The table says that components lie behind an axis, and also at one end of memory.]],
    cure = [[Keep one of the two.]],
    write = 'components = { 5, after = "x" }' },

  -- ---- names --------------------------------------------------------------------------------------------------------

  { code = "HG1201", title = "no name for this",
    cause = [[Names of specs, fields, vectors and exchanges become parts of identifiers in C, C++ and Fortran, members
      of a struct and names of files, and this one is no such word, or one that a language or a library keeps for
      itself.]],
    cure = [[Take a name of letters, digits and single underscores between them that starts with a letter.]],
    write = 'field "u_velocity" { on = grid, type = "double", halo = 1 }' },
  { code = "HG1202", title = "two of one name",
    cause = [[Two fields, two vectors or two exchanges have the same name, and emitted code could not tell them
      apart.]],
    cure = [[Give them different names.]] },
  { code = "HG1203", title = "two names become one in emitted code",
    cause = [[Names are joined with that of the spec, and constants are in upper case; what comes of this name is
      there already, from another name or in every spec.]],
    cure = [[Give one of them another name: one that differs in more than upper and lower case.]] },
  { code = "HG1204", title = "an emitted name would be too long",
    cause = [[The names of functions and constants are made of those of the spec and of the field or exchange. Fortran
      allows 63 characters, and C tells no more apart.]],
    cure = [[Shorten the name of the spec, which is part of all others, or this one.]] },
  { code = "HG1205", title = "emitted code uses the name of the spec",
    cause = [[The name of the spec is a type in emitted code, and a variable of the same name there would hide it.]],
    cure = [[Take another name.]] },
  { code = "HG1206", title = "an emitted name is one of C's",
    cause = [[The name of the spec and another one together make a function, a type or a macro that the headers of C or POSIX
      have: spec timer would emit timer_create. A program could not include both, or would call the wrong one.]],
    cure = [[Take another name for the spec, or for the field or exchange.]] },
  { code = "HG1207", title = "a name that a Fortran module cannot have",
    cause = [[With --emit fortran names become parts of longer ones, up to name_exchange_blocks_finish, and arguments. Fortran
      allows 63 characters, does not tell upper from lower case, and this name would be one that the module has already.]],
    cure = [[Take another name, or leave fortran out of --emit.]],
    write = 'exchange "halos" { u, v, w }' },
  { code = "HG1208", title = "a name that Python has already",
    cause = [[With --emit python fields and exchanges become attributes and parameters of Python, and this name is one of its
      keywords, or one that all such objects have. Or it is that of a spec: then NAME.py would hide the module NAME of Python
      from the programs beside it.]],
    cure = [[Take another name, or leave python out of --emit.]],
    write = 'field "u_velocity" { on = grid, type = "double", halo = 1 }' },
  { code = "HG1209", title = "a name that C++ has already",
    cause = [[With --emit cxx exchanges become members of a class, and this name is one that all such classes have, or one that
      would hide the standard library from them.]],
    cure = [[Take another name, or leave cxx out of --emit.]],
    write = 'exchange "view" { u }' },

  -- ---- grids --------------------------------------------------------------------------------------------------------

  { code = "HG1301", title = "no such axis",
    cause = [[A key or a value should name an axis of the grid, and the grid has none of this name. In a string, names
      of one letter stand in a row. The sides lo and hi belong inside an axis.]],
    cure = [[Use the names that the grid was given by axes.]],
    write = "halo = { x = 2, y = { lo = 1, hi = 2 } }" },
  { code = "HG1302", title = "an axis twice",
    cause = [[A list of axes names one of them twice; for the names of a grid's own axes upper and lower case count as
      the same.]],
    cure = [[Name each axis once.]],
    write = 'cartesian { axes = "xyz", periodic = "xz" }' },
  { code = "HG1303", title = "an order of too few axes",
    cause = [[An order in memory has to place every axis, and this one leaves some out.]],
    cure = [[Name all axes, the fastest in memory first.]],
    write = 'order = "yxz"' },
  { code = "HG1304", title = "too few or too many axes",
    cause = [[Emitted loops are for grids of 1 to 4 axes.]],
    cure = [[Name 1 to 4 axes. What else a point has, such as chemical species, are components of a field.]],
    write = 'field "c" { on = grid, type = "double", halo = 1, components = 30 }' },
  { code = "HG1305", title = "no name for an axis",
    cause = [[Names of axes become parts of identifiers in emitted code: letters, digits and single underscores
      between them, a letter first, at most 15.]],
    cure = [[Take such a name.]],
    write = 'axes = { "lon", "lat", "lev" }' },
  { code = "HG1306", title = "both order and fastest",
    cause = [[Both say how points lie in memory, and they might contradict each other.]],
    cure = [[Keep one of them: fastest where the other axes follow in their order or in its reverse, else order.]] },
  { code = "HG1307", title = "fastest is an axis in the middle",
    cause = [[With the first or the last axis fastest, the others follow in their order or in its reverse; an axis in
      the middle leaves open how they follow.]],
    cure = [[Write the whole order.]],
    write = 'cartesian { axes = "xyz", order = "yxz" }' },
  { code = "HG1308", title = "a number of cells out of range",
    cause = [[An axis has at least one cell, and libhx counts up to 1000000000 along each: twice as many still fit an int.]],
    cure = [[Write a number from 1 to 1000000000, or leave the axis out: then any number can be given at run time.]],
    write = "cells = { z = 79 }" },
  { code = "HG1309", title = "no name for a tile",
    cause = [[Connections and the emitted header name tiles: by a letter and at most 14 more letters, digits and
      underscores, each tile by another name. There are 1 to 500.]],
    cure = [[List such names.]],
    write = 'names = { "inlet", "bend", "outlet" }' },
  { code = "HG1310", title = "no side, or no axis along it",
    cause = [[A side of a tile is a sign and an axis of the grid: "-x" is the one where x begins. The axis along which
      another runs may have a sign, too.]],
    cure = [[Write it like this.]],
    write = '{ "west", "+x", "east", "-y", along = { y = "-x" } }' },
  { code = "HG1311", title = "no such tile",
    cause = [[A connection names a tile that is not among the names.]],
    cure = [[Use one of the names.]] },
  { code = "HG1312", title = "axes that do not run along a side",
    cause = [[Where two sides meet, each axis along the first runs along one of the second, forwards or backwards, and
      along says which. An axis that is not in it runs along the one of its own name, which here leads across the
      second side, or is taken.]],
    cure = [[Say for each axis along the first side where it runs.]],
    write = '{ "a", "+y", "b", "-x", along = { x = "-y" } }' },
  { code = "HG1313", title = "a side connected twice",
    cause = [[Beyond a side there is one neighbor, and two connections name different ones, or one twice.]],
    cure = [[Connect each side once. A connection holds both ways. A side that meets several tiles is for a grid
      whose tile is divided there.]] },
  { code = "HG1314", title = "a side that turns as it meets itself",
    cause = [[A side may be connected with itself, as at a fold, but who crosses it twice must be where they were, and
      this orientation leads elsewhere.]],
    cure = [[Let each axis run along itself, forwards or backwards, or two run along each other in the same sense.]],
    write = '{ "cap", "+y", "cap", "+y", along = { x = "-x" } }' },
  { code = "HG1315", title = "a cubed sphere without two horizontal axes",
    cause = [[Two axes lie along the sphere; others, such as levels, are carried.]],
    cure = [[Name the two: the one that runs east on the first tile, then the one that runs north.]],
    write = 'cubed_sphere { axes = "zyx", horizontal = "xy" }' },
  { code = "HG1316", title = "a fold without an axis along it",
    cause = [[A side is folded along one axis, which closes on itself and runs back beyond the fold; others are carried.]],
    cure = [[Name one axis beside the one across the side.]],
    write = 'fold { axes = "xyz", side = "+y", along = "x", pivot = "corner" }' },
  { code = "HG1317", title = "a pivot that is not told along both axes",
    cause = [[A fold pivots on corners or centers of cells, or on faces: centers along one of its two axes and faces along
      the other.]],
    cure = [[Write "corner" or "center", or "face" or "center" for each of the two axes.]],
    write = 'pivot = { x = "face", y = "center" }' },
  { code = "HG1320", title = "axes of an index list",
    cause = [[The first axis of an index list counts its points; a second one goes along whole with each of them.]],
    cure = [[Name one or two axes. What else a point has goes into components of fields.]],
    write = 'local grid = index_list { axes = { "cell", "level" } }' },
  { code = "HG1321", title = "a fixed number of points in an index list",
    cause = [[Each rank has points of its own, owned ones and those of its halo, and says at run time how many.]],
    cure = [[Leave the number of points out; fix that of the second axis, if it is always the same.]],
    write = 'cells = { level = 40 }' },

  -- ---- fields -------------------------------------------------------------------------------------------------------

  { code = "HG1401", title = "unknown type",
    cause = [[Types are spelled as in C, and this is none of those that fields can have.]],
    cure = [[Write an integer or floating type of C, complex64, complex128, bool or half, or describe a type of your
      own by struct.]],
    write = 'type = "double"' },
  { code = "HG1402", title = "fields on two grids",
    cause = [[Emitted code has one partition, for all fields of a spec.]],
    cure = [[Write a spec for each grid, in a file of its own; a program can use both.]] },
  { code = "HG1403", title = "a halo out of range",
    cause = [[A halo has 0 to 64 layers. More is likely to be a slip, and the proof takes longer with
      each.]],
    cure = [[Write a number from 0 to 64.]],
    write = "halo = 2" },
  { code = "HG1404", title = "a vector of too few or too many components",
    cause = [[The components of a vector lie along the axes of the grid, one along each.]],
    cure = [[List one field per axis, in the order of the axes, or fewer from the first on. Several numbers a point
      that do not turn with the grid are components of one field.]],
    write = 'local wind = vector "wind" { u, v }' },
  { code = "HG1405", title = "a component more than once",
    cause = [[Where a grid turns, the components of a vector change places; a field with two places would get two
      values.]],
    cure = [[List each field in one vector, once.]] },
  { code = "HG1406", title = "components of different types",
    cause = [[Where a grid turns, points move from one component of a vector to another, so all have one type.]],
    cure = [[Give the fields the same type.]] },
  { code = "HG1407", title = "no name for a struct",
    cause = [[Emitted code uses the name of the struct as a type, so it must be an identifier of C that nothing else
      in sight there has.]],
    cure = [[Make a typedef of another name in your header, and give that one.]],
    write = 'struct { name = "cell", header = "cell.h", size = 24, align = 8 }' },
  { code = "HG1408", title = "no name for a header",
    cause = [[Emitted code has an #include with the name of the header; an absolute path would hold on one machine
      only, and other characters could end the line.]],
    cure = [[Write a relative path of letters, digits and _ . + - / and tell the compiler by -I where it starts.]],
    write = 'header = "particles.h"' },
  { code = "HG1409", title = "an impossible size or alignment",
    cause = [[A struct has 1 to 65536 bytes, an alignment of 1, 2, 4, 8 or 16, and its size is a multiple of that.]],
    cure = [[Write what sizeof and _Alignof give; emitted code asserts both.]],
    write = 'struct { name = "cell", header = "cell.h", size = 24, align = 8 }' },
  { code = "HG1410", title = "a struct described in two ways",
    cause = [[Two calls of struct have the same name and say different things about it.]],
    cure = [[Describe it once, and use what struct returned for all fields of that type.]] },
  { code = "HG1411", title = "a vector of a type without opposite",
    cause = [[Where a grid turns, components of a vector change their sign; bool, half and structs have none.]],
    cure = [[Take an integer, floating or complex type, or exchange the fields without a vector.]] },
  { code = "HG1412", title = "a padding out of range",
    cause = [[A padding has 0 to 4096 points: it moves the starts of rows, and a page is the most that helps.]],
    cure = [[Write a number from 0 to 4096. A program may choose larger strides when it runs.]],
    write = "padding = { x = 2 }" },
  { code = "HG1413", title = "a number of components out of range",
    cause = [[A field has 1 to 1000 components.]],
    cure = [[Write a number from 1 to 1000, or divide the field into several.]],
    write = "components = 5" },
  { code = "HG1414", title = "a component that has components",
    cause = [[The components of a vector turn with the grid; those within a field do not, and a field cannot do
      both.]],
    cure = [[Make one field per component of the vector, without components.]] },
  { code = "HG1415", title = "no direction of a component",
    cause = [[The direction of a component has one entry for each axis of the grid: -1, 0 or 1, a step of at most one
      cell.]],
    cure = [[Write such entries. Exchange a field whose components go further whole, without directions.]],
    write = "directions = { { 0, 0 }, { 1, 0 }, { -1, 0 } }" },
  { code = "HG1416", title = "as many directions as there are not components",
    cause = [[Each component has its own direction, and the two numbers differ.]],
    cure = [[Give one direction per component, { 0, 0 } for one that stays, or leave components out.]] },
  { code = "HG1417", title = "directions on a grid that turns",
    cause = [[Where the grid turns, a direction becomes another one, so components would have to change places.]],
    cure = [[Exchange the whole field, without directions.]] },
  { code = "HG1418", title = "no component travels",
    cause = [[No component comes from where the stencil, the width and the grid let something come, so the exchange
      would do nothing for the field.]],
    cure = [[Look at the signs and the order of the directions; or leave the field out of the exchange.]] },
  { code = "HG1420", title = "something about sides for a field on an index list",
    cause = [[Points of an index list lie in no box: they have no layers around them, no faces and no directions. Points of the
      halo are among the points of each rank.]],
    cure = [[Leave it out. Cells, edges and nodes of a mesh are grids, and specs, of their own.]],
    write = 'local t = field "t" { on = grid, type = "double" }' },
  { code = "HG1421", title = "a vector on an index list",
    cause = [[Components of vectors are for grids that turn; on an index list nothing does.]],
    cure = [[List the fields in the exchange, or make one field with components of them.]],
    write = 'local wind = field "wind" { on = grid, type = "double", components = 2 }' },
  { code = "HG1422", title = "a type that devices do not have",
    cause = [[The field is a long double and lies in the memory of a device, where there is no such type: no kernel could
      compute with it.]],
    cure = [[Make it a double, or leave it in the memory of the host.]] },
  { code = "HG1423", title = "a vector in two memories",
    cause = [[Some components of the vector lie in the memory of the host and some in that of a device. Where the grid
      turns, points move between components, and exchanges move within one memory.]],
    cure = [[Say memory alike for all of them.]],
    write = 'fields { "u", "v", on = grid, type = "double", memory = "cuda" }' },
  { code = "HG1424", title = "ghost points behind where there can be none",
    cause = [[With halo_at = "behind" the array of a block has a plane of ghost points for each side with a neighbor, behind
      the owned points. halogen knows such planes for Cartesian grids, in the memory of the host, and for components that
      lie side by side.]],
    cure = [[Leave halo_at out: then the halo lies around the owned points.]],
    write = 'field "q" { on = grid, type = "double", halo = 1, halo_at = "behind" }' },

  -- ---- exchanges ----------------------------------------------------------------------------------------------------

  { code = "HG1501", title = "an exchange without fields",
    cause = [[An exchange that lists no field would do nothing, and keys in a table inside of it hold for the fields there.]],
    cure = [[List the fields, without keys; or remove the exchange, or the table.]],
    write = 'exchange "velocity" { u, v }' },
  { code = "HG1502", title = "a field twice in an exchange",
    cause = [[Its ghost points would be filled twice.]],
    cure = [[List it once.]] },
  { code = "HG1503", title = "a negative width",
    cause = [[A width is the number of layers that an exchange fills.]],
    cure = [[Write 0 or more, up to the halo of the field.]],
    write = "width = 1" },
  { code = "HG1504", title = "a width beyond the halo",
    cause = [[The exchange would fill more layers of a field than its halo has, and write outside of its memory.]],
    cure = [[Make the halo deeper, or the width smaller; it may differ per axis and side. Fields of different
      halos can have widths of their own.]],
    write = 'exchange "e" { { u, width = { x = 2, y = 1 } }, v, width = 1 }' },
  { code = "HG1505", title = "an exchange fills nothing of a field",
    cause = [[The field has no halo, or the exchange no width, in any direction of the stencil.]],
    cure = [[Give the field a halo, which is 0 where nothing is said, or leave it out of the exchange.]],
    write = 'local u = field "u" { on = grid, type = "double", halo = 1 }' },
  { code = "HG1506", title = "nothing feeds the halo of a field",
    cause = [[The halo lies only along axes that are neither periodic nor cut into blocks, so no neighbor has its
      points.]],
    cure = [[Make an axis periodic or decomposed, fill its walls by boundary, or leave the field out of the
      exchange.]],
    write = 'exchange "e" { u, boundary = { y = "mirror" } }' },
  { code = "HG1507", title = "a vector that travels in part",
    cause = [[Where a grid turns, one component feeds another, so all of them have to be there; Cartesian grids keep
      to the same rule.]],
    cure = [[List all components of the vector.]],
    write = 'exchange "velocity" { u, v, w }' },
  { code = "HG1508", title = "no direction of a stencil",
    cause = [[A direction says where a part of the halo lies, seen from the block: -1 below it, 0 beside it, 1 above
      it, one number per axis, and not all of them 0.]],
    cure = [[List directions like that, or write "box" or "star".]],
    write = "stencil = { { -1, 0, 0 }, { 0, 1, 0 } }" },
  { code = "HG1509", title = "a direction twice in a stencil",
    cause = [[This part of the halo would be filled twice.]],
    cure = [[List it once.]] },
  { code = "HG1510", title = "there is no such wall",
    cause = [[Walls stand at the ends of axes that are not periodic, and at sides of tiles that are not connected or
      folded; a periodic axis goes on at its other end, a connected side on another tile, and a folded one on itself.]],
    cure = [[Leave the axis or the side out of boundary, or make the axis not periodic.]],
    write = 'boundary = { y = "mirror" }' },
  { code = "HG1511", title = "what cannot be added",
    cause = [[An exchange that adds needs a type with a sum; bool and structs have none that halogen knows.]],
    cure = [[Carry the field in an exchange that copies.]],
    write = 'exchange "e" { wet, op = "copy" }' },
  { code = "HG1513", title = "adding and filling walls in one exchange",
    cause = [[An exchange that adds, or takes minima or maxima, sends ghost points to their owners; one with boundary fills
      them.]],
    cure = [[Fill walls in an exchange that copies, which comes after the other one.]] },
  { code = "HG1514", title = "antimirror of a type without opposite",
    cause = [[The fill "antimirror" takes the opposite of points; bool, half and structs have none.]],
    cure = [[Fill the field in an exchange of its own, by "mirror" or otherwise.]] },
  { code = "HG1515", title = "a mirror image of directions",
    cause = [[In a mirror a direction becomes another one, so components that travel would have to change places.]],
    cure = [[Fill the field by "hook", with a function of the application that knows which component becomes which.]],
    write = 'exchange "stream" { f, boundary = "hook" }' },
  { code = "HG1516", title = "walls that cannot be filled",
    cause = [[On connected tiles a wall is a side that is not connected, and on a folded grid one that is not folded. An
      exchange with a box or a star knows these sides; one with a list of directions need not.]],
    cure = [[Take a box or a star; or leave boundary out, and fill walls in the application.]] },
  { code = "HG1517", title = "a direction that no field reaches",
    cause = [[The stencil lists a direction in which no field of the exchange has a width, so it would mean
      nothing.]],
    cure = [[Leave the direction out, or give a field a halo there.]] },
  { code = "HG1518", title = "a wall beside which there is no layer",
    cause = [[boundary names a wall, and no field of the exchange has a layer that is filled there.]],
    cure = [[Leave the wall out, or give a field a halo on that side, and the exchange the width.]],
    write = 'boundary = { x = "mirror" }' },
  { code = "HG1519", title = "agree without shared points",
    cause = [[agree says which block decides about points that several blocks own; an exchange that fills a halo has
      none of them.]],
    cure = [[Write only = "shared" beside it, or leave it out.]],
    write = 'exchange "faces" { u, only = "shared", agree = "mean" }' },
  { code = "HG1520", title = "something about sides for an exchange on an index list",
    cause = [[Which points of an index list travel is said by the lists that create is given: there are no layers, no
      stencils and no walls.]],
    cure = [[Leave it out. For halos of another depth create a second handle, with other lists.]],
    write = 'exchange "state" { t, s }' },
  { code = "HG1521", title = "a field of which nothing is shared",
    cause = [[Blocks own a common point only of a field that has points on all faces along an axis, and only where the
      axis is periodic or cut into blocks; or, on a folded grid, of one that has points on the line of the fold or beyond it.]],
    cure = [[Leave the field out of the exchange, place its points on all faces, or let the axis be cut.]],
    write = 'local u = field "u" { on = grid, type = "double", at = { x = "both" } }' },
  { code = "HG1522", title = "a mean or a sum of a type that has none",
    cause = [[A mean is a sum that is divided, which floating and complex types have. The mean of two integers may be
      none. Structs and bool have no sum either.]],
    cure = [[Let one of the blocks decide.]],
    write = 'exchange "faces" { flag, only = "shared", agree = "owner" }' },
  { code = "HG1523", title = "directions on faces",
    cause = [[Components of a field with directions travel from block to block; on a face that both own they go
      nowhere.]],
    cure = [[Leave the field out of the exchange of shared points.]] },
  { code = "HG1524", title = "the transpose of a mean or a sum",
    cause = [[An exchange with op = "add" is the transpose of one that copies. Blocks that share a point in unequal
      numbers on two sides of a tile count with unequal weights in its mean, and the transpose would give each of them
      something else. The sum is its own transpose. And what is to be a mean or a sum is no minimum or maximum.]],
    cure = [[Leave op out: the sum, and the mean where all tiles are cut alike, is its own transpose. Or let one block decide.]],
    write = 'exchange "back" { u, only = "shared", agree = "owner", op = "add" }' },
  { code = "HG1526", title = "a halo among shared points",
    cause = [[An exchange of shared points touches no ghost point, so it has neither width nor stencil nor boundary.]],
    cure = [[Leave the key out, and fill the halo by an exchange of its own.]],
    write = 'exchange "faces" { u, only = "shared" }' },
  { code = "HG1527", title = "no corner to fill",
    cause = [[corners names an axis across which no corner of a tile is without a neighbor between two sides that have
      some. Exchanges fill all other corners themselves, and walls are for boundary.]],
    cure = [[Leave it out, or name another axis.]],
    write = 'exchange "wind" { u, v, corners = "x" }' },
  { code = "HG1528", title = "corners that are not square",
    cause = [[What fills a corner is turned about it, so that widths along both axes change places; they have to be
      equal, and not 0. Components of a vector are filled from each other, so they need the same width.]],
    cure = [[Give both axes, and all components of a vector, the same width on all sides, or carry the field in another
      exchange.]],
    write = 'exchange "wind" { u, v, width = { x = 2, y = 2 }, corners = "x" }' },
  { code = "HG1529", title = "adding and filling corners in one exchange",
    cause = [[An exchange that adds, or takes minima or maxima, sends ghost points to their owners; corners are filled from
      ghost points.]],
    cure = [[Fill corners after an exchange that copies.]] },
  { code = "HG1530", title = "ghosts for an exchange that copies",
    cause = [[ghosts says what becomes of ghost points that were added to their owners: they become zero, or stay as they
      are. An exchange that copies writes them.]],
    cure = [[Write op = "add" beside it, or leave it out.]],
    write = 'exchange "charges" { rho, op = "add", ghosts = "keep" }' },
  { code = "HG1531", title = "edges of a halo that has none",
    cause = [[Ghost points behind the owned ones are planes, one for each side of the block. There is no place for the edges
      and corners that a box has.]],
    cure = [[Take a star, or a list of directions across one axis each.]],
    write = 'exchange "gradients" { q, stencil = "star" }' },
  { code = "HG1532", title = "walls of a halo that has none there",
    cause = [[Ghost points behind the owned ones are there for sides with a neighbor, and for no others: beyond a wall there is
      nothing to fill.]],
    cure = [[Leave boundary out, and let the application use what it knows of the wall; or let the halo lie around.]],
    write = 'exchange "gradients" { q, stencil = "star" }' },
  { code = "HG1533", title = "a minimum or a maximum of what has no order",
    cause = [[Of two complex numbers or structs none is the lesser. Integers, floating types, half and bool have an order.]],
    cure = [[Carry the field in an exchange that copies.]],
    write = 'exchange "arrival" { time, op = "min" }' },
  { code = "HG1534", title = "a minimum or a maximum that zeroes ghost points",
    cause = [[Ghost points that were added become zero, so that they count once. A minimum takes the same number twice
      without harm, and the next one would take a zero for a number. So ghost points stay as they are.]],
    cure = [[Leave ghosts out. To begin anew set all points to what no number is less than, INFINITY or INT_MAX for example.]],
    write = 'exchange "arrival" { time, op = "min" }' },

  { code = "HG1535", title = "a format that does not suit a field",
    cause = [[wire says in which shorter format the numbers of a field travel: float, half or bfloat16 for floating and complex
      types, int8, int16 or int32 for integers. Structs and bool have no numbers, and a format that is as long as the numbers of a
      field saves nothing.]],
    cure = [[Give each kind of fields a format of its own, in a table inside of the exchange, and the others none.]],
    write = 'exchange "all" { { u, v, wire = "float" }, mask }' },
  { code = "HG1536", title = "rounding where numbers have to agree",
    cause = [[Exchanges that add, or take minima or maxima, change owned points by what comes. Shared points become the same on all
      blocks. What is rounded on the way would be another number here than there.]],
    cure = [[Leave wire out, or send the field in an exchange that copies its halo. Sums of numbers that were rounded on the way are to be
      had, but have to be asked for.]],
    write = 'exchange "deposit" { rho, op = "add", wire = "float", sums = "rounded" }' },
  { code = "HG1537", title = "an error that is not kept",
    cause = [[error says how much rounding may change a number, relative to it. To the nearest, float changes it by 6e-8 at most,
      half by 4.9e-4 and bfloat16 by 3.9e-3. Closer to zero than the least normal number of a format, and beyond its
      greatest, no such bound holds.]],
    cure = [[Take a format with more digits, or allow for more. Where nothing is rounded, leave error out.]],
    write = 'exchange "all" { u, wire = "float", error = 1e-6 }' },
  { code = "HG1538", title = "rounding on a device",
    cause = [[Kernels of devices move numbers as they are.]],
    cure = [[Leave wire out for fields in the memory of a device.]],
    write = 'exchange "all" { { u, wire = "float" }, on_device }' },
  { code = "HG1539", title = "components of a vector in several formats",
    cause = [[Where a grid turns, one component of a vector feeds the other, so they travel alike.]],
    cure = [[Give all components the same wire.]],
    write = 'exchange "winds" { { u, v, wire = "float" }, t }' },
  { code = "HG1540", title = "rounded sums where nothing is rounded and added",
    cause = [[sums = "rounded" lets an exchange add numbers that were rounded on the way. This one adds no ghost points to their owners,
      or has no wire that rounds.]],
    cure = [[Leave it out, or write op = "add" and a wire beside it.]],
    write = 'exchange "deposit" { rho, op = "add", wire = "float", sums = "rounded" }' },

  -- ---- the whole ----------------------------------------------------------------------------------------------------

  { code = "HG1601", title = "a spec without exchanges",
    cause = [[Without exchanges there is nothing to emit.]],
    cure = [[List them in the table of spec.]],
    write = 'return spec "channel" { exchange "pressure" { p } }' },
  { code = "HG1602", title = "two specs in one run",
    cause = [[A run of halogen writes the files of one spec.]],
    cure = [[Put the other one into a file of its own, and call halogen for each.]] },
  { code = "HG1603", title = "another version of the language",
    cause = [[The spec says that it is written in a version of the language that this halogen does not know, so it
      might read it wrongly.]],
    cure = [[Use a halogen that knows the version, or rewrite the spec for version 1.]],
    write = "version = 1" },
  { code = "HG1604", title = "an exchange twice in a spec",
    cause = [[It would be emitted twice.]],
    cure = [[List it once.]] },
  { code = "HG1605", title = "too many of a kind",
    cause = [[A spec has at most 1000 fields, exchanges, vectors, structs or grids; more come of a loop that goes
      wrong.]],
    cure = [[Look at loops that call the verb. Fields that are alike can be components of one.]] },
  { code = "HG1606", title = "no check program for such a grid",
    cause = [[The check program of --emit check knows the grids of the language, and the verb of this one is a module of the
      user's own, given by --templates.]],
    cure = [[Emit c alone. Exchanges of such grids are proved like all others.]],
    write = "halogen ocean.lua -o generated --emit c" },
  { code = "HG1701", title = "a field in no exchange",
    cause = [[A warning. Emitted code says how the field lies in memory, but nothing fills its halo, which may be
      forgotten.]],
    cure = [[List the field in an exchange, or remove it.]] },
  { code = "HG1702", title = "an exchange not in the spec",
    cause = [[A warning. The exchange was made, but spec does not list it, so there is no code for it.]],
    cure = [[List it in the table of spec, or remove it.]] },

  { code = "HG1703", title = "a cycle not in the spec",
    cause = [[A warning. The cycle was made, but spec does not list it, so there is no code for it.]],
    cure = [[List it in the table of spec, or remove it.]] },

  -- ---- cycles -------------------------------------------------------------------------------------------------------

  { code = "HG1801", title = "an unknown field in a step",
    cause = [[A step names fields by their names, and the spec has none of that name.]],
    cure = [[Write the name that the field was given, not that of a variable.]],
    write = 'step "diffuse" { reads = { u = 1 }, writes = { "u" } }' },
  { code = "HG1802", title = "a cycle without steps",
    cause = [[Steps say what is read and written between exchanges. Without them there is nothing to derive.]],
    cure = [[List them in their order.]],
    write = 'cycle "all" { exchange = state, step "one" { writes = { "u" } } }' },
  { code = "HG1803", title = "a cycle whose exchange is not in the spec",
    cause = [[An exchange goes before a cycle. It is one of the spec's like others, which a program may also start itself.]],
    cure = [[List the exchange in spec, beside the cycle.]] },
  { code = "HG1804", title = "a cycle whose exchange brings no halo",
    cause = [[Steps read ghost points that hold what their owners have. An exchange that sends ghost points back, or makes shared points
      agree, does not bring these.]],
    cure = [[Give the cycle an exchange that copies a halo.]] },
  { code = "HG1805", title = "a reach out of range",
    cause = [[A step reads so many points to either side: a number that is not negative, and no more than a halo can be deep.]],
    cure = [[Count from the index that is computed. Where points lie on faces, the two sides may differ.]],
    write = "reads = { p = { x = { lo = 1, hi = 0 } } }" },
  { code = "HG1806", title = "a step that writes nothing, or a field twice",
    cause = [[A step computes fields, each of them once.]],
    cure = [[List the fields that it computes. What only looks is no step.]],
    write = 'writes = { "u", "v" }' },
  { code = "HG1807", title = "a cycle on an index list",
    cause = [[Points of an index list have no others around them, so a reach means nothing there.]],
    cure = [[Leave the cycle out, and start the exchange in each step.]] },

  -- ---- the proof ----------------------------------------------------------------------------------------------------

  { code = "HG2001", title = "a vector lacks the component that feeds another",
    cause = [[Where tiles are joined by a turn, a component comes from the one along another axis, and the vector has
      none there: ghost points would stay unwritten.]],
    cure = [[Give the vector a component along every axis that the grid turns.]] },
  { code = "HG2002", title = "positions do not meet where tiles join",
    cause = [[Where tiles are joined by a turn or a reflection, points at one position come to lie at another, and the
      field that feeds them has none there.]],
    cure = [[Place the fields at "center", or at "both", along the axes that the message names.]],
    write = 'at = { x = "both", y = "both" }' },
  { code = "HG2003", title = "joins of tiles contradict each other",
    cause = [[The grid says how tiles meet, and two of its joins do not fit: one does not lead back, they overlap, or
      the numbers of cells differ.]],
    cure = [[Look at the two tiles that the message names, and at fixed cells along the axes that meet.]] },
  { code = "HG2004", title = "a tile thinner than the width",
    cause = [[The ghost points would lie behind the neighboring tile, and only Cartesian grids know what lies
      there.]],
    cure = [[Make the width smaller, or give the axis more cells.]] },
  { code = "HG2005", title = "points on a fold that nobody owns",
    cause = [[The grid is folded along faces, and the field's points lie on those before each cell, seen from the fold: the
      faces on the fold itself belong to nobody.]],
    cure = [[Place the field on the other faces of its cells, or on both, or fold the grid about centers.]],
    write = 'at = { y = "high" }' },
  { code = "HG2006", title = "a vector at a corner of three tiles",
    cause = [[Where other than four tiles meet, who goes around their corner comes back turned: a component of a vector
      is another one to each way around. Nobody can say what should be equal there.]],
    cure = [[Place the components on faces across one axis each, as C and D grids do, or share them as fields without a
      vector if they do not turn.]],
    write = 'local u = field "u" { on = grid, type = "double", at = { y = "both" } }' },
  { code = "HG2007", title = "points on a side that is folded along its diagonal",
    cause = [[The side of a tile is connected with itself, or with another side of its tile, so that two axes change
      places: which of two points has the lower index is another one on each side of a diagonal. halogen moves boxes of
      points, and these halves are none.]],
    cure = [[Leave the field out of the exchange of shared points, or place its points at the centers across that
      side.]] },
  { code = "HG2008", title = "points that a turn moves off the others",
    cause = [[A field is to fill the corner of a tile from beside it, and turned by 90 degrees its points lie between those
      that it has there.]],
    cure = [[Place it at centers or on all faces along both axes, or make it the component of a vector whose components
      fit each other there.]],
    write = 'local q = field "q" { on = grid, type = "double", at = "both" }' },
  { code = "HG2009", title = "a minimum or a maximum where a vector changes its sign",
    cause = [[Beyond the side a component of the vector is the opposite of one here, and the least of numbers is not the
      opposite of the least of their opposites: what came out would depend on which side a point is seen from.]],
    cure = [[Carry fields that are no vector, such as its length. Components that have no sense along their axes are a vector
      of kind "unsigned".]],
    write = 'exchange "gust" { speed, op = "max" }' },

  -- From here on the plan that emitted code is made from is wrong, and nothing is emitted.
  { code = "HG2010", title = "proof: number of points",
    cause = [[The plan gives a field another number of points than its position has.]],
    cure = fault },
  { code = "HG2011", title = "proof: number of links",
    cause = [[In some direction of a tile there is no link where ghost points are claimed, or there are several: they
      would stay unwritten, or be written twice.]],
    cure = fault },
  { code = "HG2012", title = "proof: a link leads to a wrong point",
    cause = [[By the plan a ghost point would get the value of another point than the one that owns its position, or a
      wrong component or sign.]],
    cure = fault },
  { code = "HG2013", title = "proof: directions of an exchange",
    cause = [[The plan lists a direction that no field of the exchange reaches, lists it twice, or leaves out one.]],
    cure = fault },
  { code = "HG2014", title = "proof: fields of an exchange",
    cause = [[The plan carries a field twice, or not at all.]],
    cure = fault },
  { code = "HG2015", title = "proof: a link that nothing claims",
    cause = [[The plan has a link that belongs to no exchange, so nothing was proved about it.]],
    cure = fault },
  { code = "HG2016", title = "proof: number of tiles",
    cause = [[The plan has another number of tiles than the grid.]],
    cure = fault },
  { code = "HG2017", title = "proof: phases",
    cause = [[Going axis by axis would not bring the same points as going to all neighbors at once.]],
    cure = fault },
  { code = "HG2018", title = "proof: mirrors",
    cause = [[By the plan a wall would reflect points to positions where they do not belong.]],
    cure = fault },
  { code = "HG2019", title = "proof: fills of walls",
    cause = [[By the plan a wall would not be filled as the exchange says.]],
    cure = fault },
  { code = "HG2020", title = "proof: components that travel",
    cause = [[The plan picks other components for a direction than those that travel along it.]],
    cure = fault },
  { code = "HG2021", title = "proof: a fold",
    cause = [[Where the grid is folded, ghost points or rewritten points come from elsewhere than the points that they lie
      on, or points are rewritten that lie on no others.]],
    cure = fault },
  { code = "HG2022", title = "proof: shared points",
    cause = [[By the plan another block would decide about shared points than the exchange says.]],
    cure = fault },
  { code = "HG2023", title = "proof: corners",
    cause = [[By the plan a corner of a tile would be filled from other points than those that a turn about it leads to.]],
    cure = fault },

  -- Cycles: the spec asks for what cannot be.
  { code = "HG2024", title = "a step reads points that are not valid",
    cause = [[After an exchange so many layers of the halo hold what their owners have. Each step computes fewer layers than it reads, and what a
      step of the cycle reads farther out would be stale.]],
    cure = [[Make halo and width deeper, let the exchange bring corners, too, or divide the cycle into two, each with an exchange.]],
    write = 'local u = field "u" { on = grid, type = "double", halo = 4 }' },
  { code = "HG2025", title = "a step that would compute what others own",
    cause = [[So that a cycle needs no exchange, some step computes ghost points as their owners do. Beyond a side where axes run in another sense
      the same loop adds numbers in another order, and at a corner of other than four tiles nobody owns some of what it reads: the bits may
      differ. With `wire` ghost points are rounded when they travel, and not when they are computed.]],
    cure = [[Divide the cycle into several of one step each, so that each computes owned points only.]] },
  { code = "HG2026", title = "a step reads beyond a wall what is out of date",
    cause = [[boundary fills ghost points beyond walls in an exchange. When a step has written the field, they no longer fit it.]],
    cure = [[Leave boundary out, and let your program fill these points behind each step; or divide the cycle.]] },
  { code = "HG2027", title = "a step writes more layers than a field has",
    cause = [[What later steps read of a field, an earlier one computes in its halo, and in as many layers all fields that this step writes. One of
      them has a halo that is not so deep.]],
    cure = [[Give the field a deeper halo, or write it in a step of its own.]] },
}
