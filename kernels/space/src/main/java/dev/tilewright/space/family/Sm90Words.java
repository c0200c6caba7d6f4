package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmWords.name;
import static dev.tilewright.space.family.GemmWords.number;
import static dev.tilewright.space.family.GemmWords.unless;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.text.Mark;
import dev.tilewright.space.text.Vocabulary;
import dev.tilewright.space.text.Word;
import java.util.Optional;
import java.util.stream.Stream;

/** The words of {@code sm90-gemm}. */
final class Sm90Words {

    private Sm90Words() {}

    /** Such as {@code static 128x256x64 c2x1 s4 groupedM8 coop2}, and what is not as usual. */
    static Vocabulary vocabulary() {
        return new Vocabulary(
                GemmWords.scheduler(),
                Stream.of(
                                GemmWords.ofTheKernel(),
                                Stream.of(Word.always(Sm90Words::warpgroups, "mode", "consumers")),
                                GemmWords.further(),
                                ofACta(),
                                ofMemory(),
                                ofTheWork())
                        .flatMap(words -> words)
                        .toList());
    }

    private static Optional<Mark> warpgroups(Config config) {
        String mode = Word.value(config, "mode").orElse("");
        String consumers = Word.value(config, "consumers").orElse("");
        boolean one = consumers.equals("1");
        String who = consumers + (one ? " warpgroup" : " warpgroups");
        if (mode.isEmpty() && consumers.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (mode) {
                    case "cooperative" ->
                        new Mark("coop" + one, "coop" + consumers, who + (one ? " computes a tile" : " share a tile"));
                    case "pingpong" ->
                        new Mark(
                                mode,
                                mode + consumers,
                                who + (one ? " computes" : " compute") + " tiles of their own in turn");
                    default -> new Mark(mode, mode + consumers, "");
                });
    }

    private static Stream<Word> ofACta() {
        return Stream.of(
                number("swizzle", "sw", value -> "shared memory is swizzled in spans of " + value + " bytes"),
                number(
                        "waitDepth",
                        "w",
                        value -> value.equals("0")
                                ? "each block of K is multiplied to its end before the next"
                                : value + " block of K is still being multiplied while the next begins"),
                number("registers", 0, "r", value -> value + " registers for a thread that multiplies"),
                number("epilogueStages", 2, "p", value -> "a warpgroup stores its tiles through " + value + " panels"),
                unless(
                        1,
                        DeviceLimits.CTAS_PER_SM,
                        value -> new Mark(DeviceLimits.CTAS_PER_SM, value + "ctas", value + " CTAs on an SM")),
                unless(0, SwapAB.PARAMETER, _ -> Mark.named(SwapAB.PARAMETER, "A and B have changed places"))
                        .unlessUsual());
    }

    private static Stream<Word> ofMemory() {
        return Stream.of(
                        name("l2Hint", L2Hint.NONE, "", value -> "L2 keeps " + value.substring(value.length() - 1)),
                        number(L2Promotion.PARAMETER, 128, "l2-", value -> "L2 fetches " + value + " bytes at once"),
                        name(ClusterOrder.PARAMETER, ClusterOrder.LAUNCH, "", _ -> "clusters take tiles GPC by GPC"),
                        name(LoadStart.PARAMETER, LoadStart.FREE, "", _ -> "loads start at ticks of a timer"))
                .map(Word::unlessUsual);
    }

    /** How tiles are cut along K. */
    private static Stream<Word> ofTheWork() {
        return Stream.of(number(SplitRules.SPLIT_K, 1, "k/", value -> "K is cut into " + value + " parts")
                .unlessUsual());
    }
}
