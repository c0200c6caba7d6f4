package dev.tilewright.worker.cli;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import java.util.function.UnaryOperator;

/** Families whose kernels somebody has spoilt. The tests of proofs have the same: tests of modules share no code. */
record SpoiltFamily(GemmFamily whole, UnaryOperator<String> change) implements GemmFamily {

    /** Hopper's family with its texts changed, those of traced twins too. */
    static GemmFamilies hopper(UnaryOperator<String> change) {
        return of("sm90-gemm", change);
    }

    /** The same of another family. */
    static GemmFamilies of(String family, UnaryOperator<String> change) {
        return new GemmFamilies(List.of(new SpoiltFamily(GemmFamilies.standard().named(family), change)));
    }

    /** The text with the first occurrence behind a mark replaced. */
    static String replaceAfter(String text, String mark, String old, String replacement) {
        int from = text.indexOf(mark);
        int at = from < 0 ? -1 : text.indexOf(old, from);
        if (at < 0) {
            throw new IllegalStateException("the kernel has no '" + old + "' behind '" + mark + "'");
        }
        return text.substring(0, at) + replacement + text.substring(at + old.length());
    }

    @Override
    public FamilySpace space() {
        return whole.space();
    }

    @Override
    public GemmKernel build(Config config, boolean traced) {
        GemmKernel kernel = whole.build(config, traced);
        return new GemmKernel(kernel.module(), change.apply(kernel.text()), traced, kernel.rule(), kernel.sumError());
    }
}
