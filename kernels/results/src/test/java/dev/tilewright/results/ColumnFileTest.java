package dev.tilewright.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What is written as columns is read as it was, to the last bit and in the same order. */
class ColumnFileTest {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    @Draws
    void aDocumentComesBackAsItWas(@From("documents") JsonNode document) {
        String text = MAPPER.writeValueAsString(document);
        JsonNode parsed = MAPPER.readTree(text);
        JsonNode read = ColumnFile.document(ColumnFile.bytes(parsed));
        assertThat(read).isEqualTo(parsed);
        assertThat(MAPPER.writeValueAsString(read)).as("order and digits, too").isEqualTo(text);
    }

    static JsonNode documents(Draw draw) {
        return document(draw, draw.between(0, 3));
    }

    private static JsonNode document(Draw draw, int depth) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (depth == 0) {
            return leaf(draw);
        }
        if (draw.either()) {
            ArrayNode array = nodes.arrayNode();
            draw.list(0, 5, each -> document(each, depth - 1)).forEach(array::add);
            return array;
        }
        ObjectNode object = nodes.objectNode();
        draw.some(List.of("id", "ns", "config", "ä b", ""), draw.between(0, 5))
                .forEach(name -> object.set(name, document(draw, depth - 1)));
        return object;
    }

    private static JsonNode leaf(Draw draw) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (draw.between(1, 8)) {
            case 1 -> draw.of(nodes.nullNode(), nodes.booleanNode(true), nodes.booleanNode(false));
            case 2 -> nodes.numberNode(draw.anyLong());
            case 3 -> nodes.numberNode(draw.between(-40, 40));
            case 4 -> nodes.numberNode(draw.between(-Double.MAX_VALUE / 4, Double.MAX_VALUE / 4));
            case 5 -> nodes.stringNode(draw.text(0, 12));
            case 6 -> nodes.stringNode(draw.text(64, 64, "0123456789abcdef"));
            case 7 -> nodes.stringNode(new UUID(draw.anyLong(), draw.anyLong()).toString());
            default -> {
                ArrayNode row = nodes.arrayNode();
                draw.list(0, 9, each -> 32L * each.between(-5000, 5000)).forEach(row::add);
                yield row;
            }
        };
    }

    @Test
    void aNumberThatIsNeitherWholeNorADoubleIsRefused() {
        assertThatThrownBy(() -> ColumnFile.bytes(MAPPER.readTree("[1, 18446744073709551616]")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("18446744073709551616")
                .hasMessageContaining("at most 64 bits");
    }

    @Test
    void trialsTakeATenthOfTheirText() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode trials = document.putArray("trials");
        for (int i = 0; i < 160; i++) {
            ObjectNode trial = trials.addObject();
            trial.put("ordinal", i).put("outcome", "completed").put("registers", 168 + 8 * (i % 5));
            ArrayNode tiles = trial.putArray("tilesPerSm");
            for (int sm = 0; sm < 132; sm++) {
                tiles.add(3 + (sm * i) % 2);
            }
        }
        assertThat(ColumnFile.bytes(document).length)
                .isLessThan(MAPPER.writeValueAsString(document).length() / 10);
    }

    private static byte[] sound() {
        return ColumnFile.bytes(MAPPER.readTree("{\"trials\": [{\"ns\": 1.5, \"tiles\": [3, 4, 4]}, {\"ns\": 2.5}]}"));
    }

    static Stream<byte[]> damaged() {
        byte[] sound = sound();
        return Stream.iterate(0, at -> at < sound.length, at -> at + 1).flatMap(at -> {
            byte[] flipped = sound.clone();
            flipped[at] ^= 0x10;
            return Stream.of(flipped, Arrays.copyOf(sound, at), Arrays.copyOf(sound, sound.length + 1));
        });
    }

    @ParameterizedTest
    @MethodSource("damaged")
    void whatIsDamagedIsRefused(byte[] damaged) {
        assertThatThrownBy(() -> ColumnFile.document(damaged)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMessageNamesTheFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.columns"), "{}");
        assertThatThrownBy(() -> ColumnFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("tilewright columns 1");
    }

    @Test
    void aFileOfJsonIsReadToo(@TempDir Path folder) throws IOException {
        JsonNode document = MAPPER.readTree("{\"a\": [1, null, 2.5]}");
        Path text = Files.writeString(folder.resolve("a.json"), document.toString());
        Path columns = folder.resolve("a.columns");
        ColumnFile.write(document, columns);
        assertThat(ColumnFile.read(text)).isEqualTo(document);
        assertThat(ColumnFile.read(columns)).isEqualTo(document);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# one\n# two\nname,ns,name\na b=1,12284.2,1980\n,007,1e3\n-0,-1.50,12345678901234567890\n",
                "only\n"
            })
    void aTableComesBackAsItWas(String text) throws IOException {
        JsonNode document = TableFile.document(text.lines().toList());
        assertThat(TableFile.isTable(document)).isTrue();
        JsonNode read = ColumnFile.document(ColumnFile.bytes(document));
        assertThat(String.join("\n", TableFile.lines(read)) + "\n").isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"# head alone\n", "a,b\n1\n", "a,b\n\"1\",2\n"})
    void whatIsNoTableIsRefused(String text) {
        assertThatThrownBy(() -> TableFile.document(text.lines().toList()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
