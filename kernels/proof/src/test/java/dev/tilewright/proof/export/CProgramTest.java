package dev.tilewright.proof.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.program.CProgram;
import dev.tilewright.launch.program.KernelProgram;
import dev.tilewright.launch.reader.LaunchReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exported C, compiled without CUDA. */
class CProgramTest extends ProgramContract {

    @Override
    void make(Gcc gcc, ExportedProgram exported) throws IOException, InterruptedException {
        for (Map.Entry<String, String> file : CProgram.of(exported.program()).entrySet()) {
            Files.writeString(gcc.folder().resolve(file.getKey()), file.getValue());
        }
        Files.writeString(
                gcc.folder().resolve("main.c"), exported.main(exported.launch().takesScale()));
        gcc.compile("main.c", "exported.c", "exported_image.c", "-o", "main", "-ldl");
        // The driver of the tests computes nothing, and this needs results.
        gcc.compile("-fsyntax-only", "exported_test.c");
    }

    @Override
    String[] command(Path folder) {
        return new String[] {folder.resolve("main").toString()};
    }

    @Override
    void assumeProgramsArePresent() {}

    @Override
    Gcc.Ended refused(String reason) {
        return new Gcc.Ended(2, "exported: " + reason);
    }

    @Test
    void whatNoProgramCanDoIsRefused() {
        assertThatThrownBy(() -> CProgram.of(foreign("{dtype: u8, shape: 4, init: identity}")))
                .hasMessage("buffer X is no operand of a product, and is filled with identity: write its values out"
                        + " to export it");
        assertThatThrownBy(
                        () -> new KernelProgram("Bad-name", "", "", foreign("").launch(), "", Optional.empty(), 1, ""))
                .hasMessage("must be small letters, digits and '_', a letter first, at most 48, got 'Bad-name'");
        assertThatThrownBy(() -> CProgram.of(foreign("{dtype: u8, shape: 4, init: {file: /etc/hostname}}")))
                .hasMessageContaining(
                        "X.init.file: names the file '/etc/hostname', but this description comes without its files");
    }

    @Test
    void rowsWithGapsLieAsFarApartAsTheBufferHasThem() {
        assertThat(CProgram.of(foreign("{dtype: u8, shape: [2, 3], rowStride: 5, init: {values: [1, 2, 3, 4, 5, 6]}}"))
                        .values())
                .anySatisfy(text -> assertThat(text).contains("    1,2,3,0,0,4,5,6,0,0,\n"));
    }

    /** Text of a worker or a service does not become program. */
    @ParameterizedTest
    @ValueSource(strings = {"k\"; system(\"x", "@NAME@", "k\nimport os", "1k"})
    void anEntryIsANameOfPtx(String entry) {
        LaunchDescription launch = launch("\"" + entry.replace("\"", "\\\"").replace("\n", "\\n") + "\"", "");
        assertThatThrownBy(() -> new KernelProgram("name", "a title", "", launch, "", Optional.empty(), 1, ""))
                .hasMessageStartingWith("entry: must be a name of PTX");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ends */ here", "two\nlines", "@ENTRY@", "a \\", "\"\"\""})
    void aRemarkEndsNoComment(String title) {
        assertThatThrownBy(
                        () -> new KernelProgram("name", title, "", foreign("").launch(), "", Optional.empty(), 1, ""))
                .hasMessageStartingWith("a remark is one line");
    }

    private static KernelProgram foreign(String buffer) {
        return new KernelProgram("foreign", "a title", "1x1x1", launch("k", buffer), "", Optional.empty(), 1, "");
    }

    private static LaunchDescription launch(String entry, String buffer) {
        String more = buffer.isEmpty() ? "" : ", X: " + buffer;
        return LaunchReader.described("{entry: " + entry
                + ", grid: 1, block: 32, buffers: {A: {dtype: f32, shape: [4, 4],"
                + " init: normal}, B: {dtype: f32, shape: [4, 4], init: normal}, D: {dtype: f32, shape: [4, 4]}" + more
                + "}, expect: [gemm: {a: A, b: B, d: D}]}");
    }
}
