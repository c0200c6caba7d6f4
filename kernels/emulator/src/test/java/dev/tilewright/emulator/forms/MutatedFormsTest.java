package dev.tilewright.emulator.forms;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tilewright.ptx.parse.PtxParseException;
import dev.tilewright.ptx.parse.PtxParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms of the manual that were changed at random: the parser reads them or says what is wrong, and nothing else. */
class MutatedFormsTest {
    private static final List<String> FORMS = ManualFormsTest.lists()
            .flatMap(list -> list.instructions().stream())
            .toList();
    private static final int TRIES = 1_500;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theParserReadsOrRefuses(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < TRIES; i++) {
            String instruction = mutated(random);
            String text = FormList.module("sm_100a", instruction);
            assertThatCode(() -> {
                        try {
                            PtxParser.parse(text);
                        } catch (PtxParseException refused) {
                            refused.problems()
                                    .forEach(problem -> problem.reason().strip());
                        }
                    })
                    .as("seed " + seed + ", " + instruction)
                    .doesNotThrowAnyException();
        }
    }

    /** Modifiers and operands taken away, doubled, swapped or taken from another form. */
    private static String mutated(SplittableRandom random) {
        String[] parts = form(random).split(" ", 2);
        List<String> modifiers = new ArrayList<>(Arrays.asList(parts[0].split("(?=\\.)")));
        List<String> operands = new ArrayList<>(Arrays.asList((parts.length > 1 ? parts[1] : "").split(", ")));
        String[] other = form(random).split(" ", 2);
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            if (random.nextBoolean()) {
                change(modifiers, other[0].split("(?=\\.)"), random);
            } else {
                change(operands, (other.length > 1 ? other[1] : "").split(", "), random);
            }
        }
        String text = String.join("", modifiers)
                + operands.stream().collect(Collectors.joining(", ", operands.isEmpty() ? "" : " ", ""));
        if (random.nextInt(8) > 0 || text.isEmpty()) {
            return text;
        }
        int at = random.nextInt(text.length());
        return text.substring(0, at) + (char) random.nextInt(32, 127) + text.substring(Math.min(text.length(), at + 1));
    }

    private static String form(SplittableRandom random) {
        return FORMS.get(random.nextInt(FORMS.size()));
    }

    private static void change(List<String> parts, String[] others, SplittableRandom random) {
        String other = others[random.nextInt(others.length)];
        int at = parts.isEmpty() ? 0 : random.nextInt(parts.size());
        switch (parts.isEmpty() ? 0 : random.nextInt(4)) {
            case 0 -> parts.add(at, other);
            case 1 -> parts.remove(at);
            case 2 -> parts.set(at, other);
            default -> parts.add(at, parts.get(random.nextInt(parts.size())));
        }
    }
}
