package dev.tilewright.launch.program;

import dev.tilewright.launch.writer.LaunchWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All files of an exported kernel, by name. */
public final class ProgramFiles {

    /** The language of a program. */
    public enum Language {
        C("c"),
        /** Python with an operator of PyTorch. */
        TORCH("torch");

        private final String text;

        Language(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private ProgramFiles() {}

    /**
     * The text, its cubin where there is one, the launch as {@code kernel.yaml}, and the programs with their tests.
     *
     * @param notes lines at the top of {@code kernel.yaml}, behind the title
     * @throws IllegalArgumentException if no program can make the launch, with the reason
     */
    public static Map<String, byte[]> of(KernelProgram kernel, List<String> notes, Set<Language> languages) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(kernel.name() + ".ptx", kernel.ptx());
        List<String> titles = new ArrayList<>(List.of(kernel.title()));
        notes.stream().map(KernelProgram::requireRemark).forEach(titles::add);
        texts.put("kernel.yaml", LaunchWriter.yaml(titles, kernel.launch()));
        for (Language language : languages) {
            texts.putAll(
                    switch (language) {
                        case C -> CProgram.of(kernel);
                        case TORCH -> PythonProgram.of(kernel);
                    });
        }
        Map<String, byte[]> files = new LinkedHashMap<>();
        kernel.cubin().ifPresent(cubin -> files.put(kernel.name() + ".cubin", cubin));
        texts.forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.UTF_8)));
        return files;
    }
}
