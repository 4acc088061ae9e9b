-- Diagnostics of the proof, HG20xx: see codes.lua.

local fault = [[This is a fault of halogen, or of a module given with --templates. Please report it, with the spec.]]

return {
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
