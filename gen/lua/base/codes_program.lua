-- Diagnostics of the program, HG00xx: see codes.lua.

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
}
