-- Names that are words of Fortran, of emitted code, of hx, or parts of each other: none of them meets another word.
local grid = cartesian { axes = { "h", "f", "at" }, periodic = { "h" } }
local fortran = table.pack(fields { "integer", "real", "end_do", "end", "subroutine", "module", "program", "implicit", "none",
  "kind", "intent", "call", "where", "contains", "result", "data", "common", on = grid, type = "double", halo = 1 })
local emitted = table.pack(fields { "i", "j", "k", "n", "m", "f", "h", "to", "from", "field", "buffer", "region", "blocks", "count",
  "peers", "pack", "unpack", "copy", "sweep", "kernels", "strips", "links", "status", "main", "memcpy", "size", "mpi", "hx",
  on = grid, type = "float", halo = { h = 1, f = { lo = 2 } } })
local a, a_b, b, b_a, start, finish, at = fields { "a", "a_b", "b", "b_a", "start", "finish", "at", on = grid,
  type = "complex128", halo = 1, at = "low" }
return spec "words" {
  exchange "pack_a" { table.unpack(fortran) },
  exchange "unpack_a" { table.unpack(emitted) },
  exchange "a_to_b" { a, a_b, b, b_a, stencil = "star" },
  exchange "wait" { start, finish, at, boundary = "mirror" },
  exchange "test" { a, fortran[1], emitted[1], op = "add" },
  exchange "init" { a_b, at, stencil = { { 1, 0, 0 }, { -1, 1, 0 } } },
}
