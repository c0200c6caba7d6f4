package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.Ptxas;
import dev.tilewright.ptx.type.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * That the assembler believes that a warp stands at one slot, and has no more to do between two wgmmas than a few
 * uniform additions. Whoever changes the loop over k blocks, or the assembler, learns here if it no longer does.
 */
class UniformSlotTest {

    /** In the loop: the slot of the warp's first lane becomes that of all. */
    private static final Pattern SHUFFLE = Pattern.compile(
            "(?<=MULTIPLY_K:\n) {4}shfl\\.sync\\.idx\\.b32 (%r\\d+), .*\n {4}mov\\.b32 %multiply_loadSlot, \\1;\n");

    private static final int INSTRUCTION_BYTES = 16;
    private static final int OPCODE = 0xFFF;
    /** Of wgmma in the machine code of sm_90. */
    private static final int HGMMA = 0x9F0;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tileN=240 clusterM=2 multicast=both",
                "mode=pingpong registers=240 clusterN=2 multicast=both",
                "splitK=2 tileN=64",
                "splitK=3 mode=pingpong tileM=64 tileN=64 scheduler=atomic clusterM=2 multicast=both",
                "tileLocation=table mode=pingpong tileM=64 tileN=176",
            })
    void descriptorsAreComputedOnceForAWarp(String changes) throws IOException, InterruptedException {
        Ptxas.assumePresent();
        assertThat(stepsBetweenWgmmas(
                        new Sm90Gemm().build(Configs.with(changes), false).text()))
                .isLessThan(6);
    }

    @Test
    void notToldTheAssemblerComputesThemInEveryThread() throws IOException, InterruptedException {
        Ptxas.assumePresent();
        String text =
                new Sm90Gemm().build(Configs.with("splitK=2 tileN=64"), false).text();
        String untold = SHUFFLE.matcher(text).replaceAll("");
        assertThat(untold).isNotEqualTo(text);
        assertThat(stepsBetweenWgmmas(untold)).isGreaterThan(10);
    }

    /** Instructions from one wgmma of a k block to the next, on average. */
    private static double stepsBetweenWgmmas(String text) throws IOException, InterruptedException {
        ByteBuffer code = section(Ptxas.binary(Target.SM_90A, text), ".text.gemm");
        int[] wgmmas = IntStream.range(0, code.remaining() / INSTRUCTION_BYTES)
                .filter(at -> (code.getInt(INSTRUCTION_BYTES * at) & OPCODE) == HGMMA)
                .toArray();
        assertThat(wgmmas).hasSizeGreaterThanOrEqualTo(4);
        return (wgmmas[wgmmas.length - 1] - wgmmas[0]) / (wgmmas.length - 1.0);
    }

    /** A section of an ELF of 64 bits. */
    private static ByteBuffer section(byte[] elf, String name) {
        ByteBuffer file = ByteBuffer.wrap(elf).order(ByteOrder.LITTLE_ENDIAN);
        int headers = (int) file.getLong(0x28);
        int headerBytes = file.getShort(0x3A);
        int names = (int) file.getLong(headers + headerBytes * file.getShort(0x3E) + 0x18);
        for (int at = headers; at < headers + headerBytes * file.getShort(0x3C); at += headerBytes) {
            int start = names + file.getInt(at);
            if (new String(elf, start, name.length(), StandardCharsets.US_ASCII).equals(name)
                    && elf[start + name.length()] == 0) {
                return file.slice((int) file.getLong(at + 0x18), (int) file.getLong(at + 0x20))
                        .order(ByteOrder.LITTLE_ENDIAN);
            }
        }
        throw new AssertionError("no section " + name);
    }
}
