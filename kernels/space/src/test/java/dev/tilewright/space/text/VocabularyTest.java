package dev.tilewright.space.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Words of an invented family. */
class VocabularyTest {

    private static final Word SCHEDULER = Word.leading(
            Spelling.named("static", "who=static", "who hands out"), Spelling.named("clc", "who=clc", "who asks"));

    private static final Vocabulary WORDS = new Vocabulary(
            SCHEDULER,
            List.of(
                    Word.leading(Spelling.of("#x#", _ -> "high, wide", "high", "wide")),
                    Word.unless("slots=1", Spelling.of("s#", slots -> slots.getFirst() + " slots", "slots")),
                    Word.unless("hint=none", Spelling.named("keep", "hint=keep", "")),
                    Word.unless("queue=1", Spelling.of("q#", _ -> "", "queue")).ofSomeSchedulers()),
            Set.of("given"));

    private static final Config CONFIG =
            Config.parse("who=static high=64 wide=176 slots=3 hint=none queue=1 other=5 given=9");

    private static String text(Config config) {
        return WORDS.marks(config, Set.of()).stream().map(Mark::text).collect(Collectors.joining(" "));
    }

    @Test
    void leadingWordsComeFirstAndOnlyDefaultsAreLeftOut() {
        assertThat(text(CONFIG)).isEqualTo("static 64x176 other=5 s3");
        assertThat(text(CONFIG.with("hint=keep slots=1 queue=2"))).isEqualTo("static 64x176 keep other=5 q2");
    }

    @Test
    void aTextIsReadAsTheValuesThatItSays() {
        assertThat(WORDS.read(text(CONFIG)).with("hint=none queue=1 given=9")).isEqualTo(CONFIG);
        assertThat(WORDS.usual("queue")).contains(ParameterValue.of(1));
        assertThat(WORDS.usual("high")).isEmpty();
        assertThat(WORDS.usual("given")).isEmpty();
        assertThatThrownBy(() -> WORDS.read("static keep none"))
                .hasMessage("'none' is no part of a config. A part is NAME=VALUE or, with a whole number for each #,"
                        + " one of: static|clc #x# s# keep q#");
        assertThatThrownBy(() -> WORDS.read("64x176 wide=8"))
                .hasMessage("parameter 'wide' is given twice: by '64x176' and 'wide=8'");
    }

    @Test
    void nothingIsSaidOfWhatAConfigDoesNotHave() {
        assertThat(text(Config.parse("high=64 wide=176"))).isEqualTo("64x176");
        assertThat(text(Config.parse("high=64"))).as("half a part").isEqualTo("high=64");
    }

    @Test
    void aSpellingHasANumberForEachParameter() {
        assertThatThrownBy(() -> Spelling.of("s#", _ -> "", "one", "two"))
                .hasMessage("'s#' needs a # for each of [one, two], no more and no fewer");
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
        assertThat(plain.read(ShortForm.complete(plain, CONFIG))).isEqualTo(CONFIG);
    }

    @Test
    void twinsDifferInNothingElse() {
        assertThat(List.of("who=clc", "who=clc queue=3", "who=clc slots=4", "who=clc new=1", "wide=64").stream()
                        .map(change -> CONFIG.with(change))
                        .map(other -> WORDS.areTwins(CONFIG, other)))
                .containsExactly(true, true, false, false, false);
        assertThat(WORDS.areTwins(
                        CONFIG, Config.parse("who=static high=64 wide=176 slots=3 hint=none other=5 given=9")))
                .as("one has no queue")
                .isTrue();
    }
}
