package dev.tilewright.launch.program;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.program.ProgramFiles.Language;
import dev.tilewright.launch.writer.LaunchWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All files of the kernels of a range, by name. */
public final class RangeFiles {

    private RangeFiles() {}

    /**
     * Of each kernel its text, its cubin where there is one, and its launch with the most of its M; and the programs
     * with their tests.
     *
     * @throws IllegalArgumentException if no program can make the launches, with the reason
     */
    public static Map<String, byte[]> of(RangeProgram range, Set<Language> languages) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (int i = 0; i < range.members().size(); i++) {
            RangeProgram.Member member = range.members().get(i);
            String name = range.name() + "_" + i;
            LaunchDescription most =
                    member.launches().apply(member.reaches().getLast().to());
            files.put(name + ".ptx", bytes(member.ptx()));
            files.put(name + ".yaml", bytes(LaunchWriter.yaml(List.of(member.title()), most)));
            member.cubin().ifPresent(cubin -> files.put(name + ".cubin", cubin));
        }
        List<RangeLaunches> launches = range.members().stream()
                .map(member -> RangeLaunches.of(member.reaches(), member.launches()))
                .toList();
        Map<String, String> texts = new LinkedHashMap<>();
        if (!languages.isEmpty()) {
            // The binding of PyTorch includes the program in C.
            texts.putAll(CRangeProgram.of(range, launches));
        }
        if (languages.contains(Language.TORCH)) {
            texts.putAll(PythonRangeProgram.of(range, launches));
        }
        texts.forEach((name, text) -> files.put(name, bytes(text)));
        return files;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
