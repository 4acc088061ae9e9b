-- Diagnostics of the language, of names, grids and fields, HG10xx to HG14xx: see codes.lua.

return {
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
}
