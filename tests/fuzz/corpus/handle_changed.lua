local u = field "u" {}
u.halo = 1
