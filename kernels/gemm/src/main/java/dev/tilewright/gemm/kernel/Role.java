package dev.tilewright.gemm.kernel;

import dev.tilewright.ptx.CodeBuilder;
import java.util.function.Consumer;

/**
 * A role of a kernel: neighbouring warps of each CTA that do one thing.
 *
 * @param does said in one line, as the text says it
 */
public record Role(String name, int firstWarp, int warps, String does) {

    /** Only the warps of the role execute the code; the others go on behind it. */
    public void open(CodeBuilder b, Consumer<CodeBuilder> code) {
        b.role(name, firstWarp, warps, role -> {
            role.comment(name + ": " + does);
            code.accept(role);
        });
    }
}
