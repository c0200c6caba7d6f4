package dev.tilewright.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

class DrawsTest {

    enum Colour {
        RED,
        GREEN
    }

    /** Run by the tests below alone: its name is none of a test. */
    static class Properties {
        static Colour green(Draw draw) {
            return draw.of(Colour.GREEN);
        }

        @Draws(12)
        void holds(@Between(min = 3, max = 9) int number, boolean flag, Colour colour, @From("green") Colour green) {
            assertThat(number).isBetween(3, 9);
            assertThat(green).isEqualTo(Colour.GREEN);
        }

        @Draws(50)
        void fails(@Between(max = 9) int number) {
            assertThat(number).isLessThan(9);
        }

        @Draws
        void cannotBeDrawn(String text) {}
    }

    private static EngineExecutionResults run(String method, String parameters) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Properties.class, method, parameters))
                .execute();
    }

    private static List<String> names(EngineExecutionResults results) {
        List<String> names = new ArrayList<>();
        results.testEvents().finished().stream()
                .map(event -> event.getTestDescriptor().getDisplayName())
                .forEach(names::add);
        return names;
    }

    @Test
    void eachRunDrawsTheSameRows() {
        String parameters = "int,boolean," + Colour.class.getName() + "," + Colour.class.getName();
        EngineExecutionResults first = run("holds", parameters);
        assertThat(first.testEvents().succeeded().count()).isEqualTo(12 * (Selection.isFull() ? 10 : 1));
        assertThat(names(first)).isEqualTo(names(run("holds", parameters))).doesNotHaveDuplicates();
    }

    @Test
    void theSeedOfAFailureDrawsItAgain() {
        Stream<Event> failed = run("fails", "int").testEvents().failed().stream();
        String seed = failed.findFirst()
                .orElseThrow()
                .getTestDescriptor()
                .getDisplayName()
                .replace("seed ", "");
        assertThat(System.setProperty("draws.seed", seed)).isNull();
        try {
            EngineExecutionResults again = run("fails", "int");
            assertThat(again.testEvents().started().count()).isEqualTo(1);
            assertThat(again.testEvents().failed().count()).isEqualTo(1);
        } finally {
            System.clearProperty("draws.seed");
        }
    }

    @Test
    void aTypeThatNobodyDrawsIsNamed() {
        String message = run("cannotBeDrawn", "java.lang.String").containerEvents().failed().stream()
                .map(event -> event.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .map(Throwable::getMessage)
                .findFirst()
                .orElseThrow();
        assertThat(message).startsWith("a drawn parameter of java.lang.String needs @From");
    }
}
