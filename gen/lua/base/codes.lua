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

local codes = {}
for _, part in ipairs { require "base.codes_program", require "base.codes_language", require "base.codes_exchanges", require "base.codes_proof" } do
  table.move(part, 1, #part, #codes + 1, codes)
end

return codes
