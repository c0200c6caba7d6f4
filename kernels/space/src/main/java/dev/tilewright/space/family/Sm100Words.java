package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmWords.number;
import static dev.tilewright.space.family.GemmWords.unless;

import dev.tilewright.space.text.Mark;
import dev.tilewright.space.text.Vocabulary;
import dev.tilewright.space.text.Word;
import java.util.stream.Stream;

/** The words of {@code sm100-gemm}. */
final class Sm100Words {

    private Sm100Words() {}

    /** Such as {@code clc 256x256x64 c2x1 s4 groupedM8}, and what is not as usual. */
    static Vocabulary vocabulary() {
        return new Vocabulary(
                GemmWords.scheduler(),
                Stream.of(GemmWords.ofTheKernel(), GemmWords.further(), own())
                        .flatMap(words -> words)
                        .toList());
    }

    private static Stream<Word> own() {
        return Stream.of(
                unless(1, "ctaGroup", _ -> Mark.named("pair", "two CTAs multiply together")),
                number("accumulatorStages", 1, "a", value -> value + " accumulators in tensor memory"),
                number("clcStages", 1, "q", value -> value + " tiles fit into the ring of the scheduler")
                        .ofSomeSchedulers(),
                number("clcPrefetch", 1, "p", value -> value + " queries for tiles are in flight")
                        .ofSomeSchedulers());
    }
}
