package dev.tilewright.space.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Words of an invented family. */
class VocabularyTest {

    private static final Word SCHEDULER =
            Word.always(config -> Word.value(config, "who").map(who -> Mark.named(who, "who hands out")), "who");

    private static final Vocabulary WORDS = new Vocabulary(
            SCHEDULER,
            List.of(
                    Word.always(
                            config -> Optional.of(
                                    new Mark("size", config.whole("high") + "x" + config.whole("wide"), "high, wide")),
                            "high",
                            "wide"),
                    Word.of("slots", slots -> Optional.of(new Mark("slots", "s" + slots, slots + " slots"))),
                    Word.of("hint", hint -> hint.equals("none") ? Optional.empty() : Optional.of(Mark.named(hint, "")))
                            .unlessUsual(),
                    Word.of("queue", queue -> Optional.of(new Mark("queue", "q" + queue, "")))
                            .ofSomeSchedulers()));

    private static final Config CONFIG = Config.parse("who=static high=64 wide=176 slots=3 hint=none queue=1 other=5");

    private static String text(Config config, String... differing) {
        return WORDS.marks(config, Set.of(differing)).stream().map(Mark::text).collect(Collectors.joining(" "));
    }

    @Test
    void whatEveryConfigSaysComesFirst() {
        assertThat(text(CONFIG)).isEqualTo("static 64x176");
        assertThat(text(CONFIG, "slots", "other", "wide")).isEqualTo("static 64x176 other=5 s3");
    }

    @Test
    void whatIsNotAsUsualIsSaidWhereverItIs() {
        assertThat(text(CONFIG.with("hint=keep"))).isEqualTo("static 64x176 keep");
        assertThat(text(CONFIG, "hint")).as("the usual").isEqualTo("static 64x176");
    }

    @Test
    void nothingIsSaidOfWhatAConfigDoesNotHave() {
        assertThat(text(Config.parse("high=64 wide=176"), "slots", "who", "more"))
                .isEqualTo("64x176");
    }

    @Test
    void aFamilyWithoutWordsSaysItsSchedulerAndNames() {
        Vocabulary plain = new Vocabulary(SCHEDULER, List.of());

        assertThat(plain.isPlain()).isTrue();
        assertThat(WORDS.isPlain()).isFalse();
        assertThat(plain.marks(CONFIG, Set.of("who", "slots", "queue")))
                .containsExactly(
                        new Mark("static", "static", "who hands out"),
                        new Mark("queue", "queue=1", ""),
                        new Mark("slots", "slots=3", ""));
    }

    @Test
    void twinsDifferInNothingElse() {
        assertThat(List.of("who=clc", "who=clc queue=3", "who=clc slots=4", "who=clc new=1", "wide=64").stream()
                        .map(change -> CONFIG.with(change))
                        .map(other -> WORDS.areTwins(CONFIG, other)))
                .containsExactly(true, true, false, false, false);
        assertThat(WORDS.areTwins(CONFIG, Config.parse("who=static high=64 wide=176 slots=3 hint=none other=5")))
                .as("one has no queue")
                .isTrue();
    }
}
