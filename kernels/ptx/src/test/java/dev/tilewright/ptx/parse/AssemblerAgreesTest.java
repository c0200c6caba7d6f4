package dev.tilewright.ptx.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.Ptxas;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.testing.Selection;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kernels we did not write, read and written again, assemble to the very machine code of the original: nothing was lost
 * or mistaken on the way.
 */
class AssemblerAgreesTest {
    static Stream<Path> files() {
        return Selection.of(
                Texts.FOLDERS.stream()
                        .flatMap(folder -> Texts.files(folder).stream())
                        .toList(),
                7)
                .stream();
    }

    @ParameterizedTest
    @MethodSource("files")
    void sameMachineCode(Path file) throws Exception {
        String original = Texts.read(file);
        PtxModule module = PtxParser.parse(original);
        String written = PtxWriter.write(module);
        assertThat(PtxParser.parse(written)).isEqualTo(module);
        assertThat(code(Ptxas.binary(written, module.target().ptx())))
                .as(file.toString())
                .isNotEmpty()
                .isEqualTo(code(Ptxas.binary(original, module.target().ptx())));
    }

    /** The sections of machine code of an ELF file, in hexadecimal, by name. */
    private static Map<String, String> code(byte[] elf) {
        ByteBuffer file = ByteBuffer.wrap(elf).order(ByteOrder.LITTLE_ENDIAN);
        long headers = file.getLong(40);
        int count = file.getShort(60);
        int names = (int) headers + 64 * file.getShort(62);
        Map<String, String> all = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int header = (int) headers + 64 * i;
            int name = (int) file.getLong(names + 24) + file.getInt(header);
            int end = name;
            while (elf[end] != 0) {
                end++;
            }
            String text = new String(elf, name, end - name, StandardCharsets.US_ASCII);
            if (text.startsWith(".text.")) {
                int from = (int) file.getLong(header + 24);
                int bytes = (int) file.getLong(header + 32);
                all.put(text, HexFormat.of().formatHex(Arrays.copyOfRange(elf, from, from + bytes)));
            }
        }
        return all;
    }
}
