package dev.tilewright.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
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

    @Property(tries = 500)
    void aDocumentComesBackAsItWas(@ForAll("documents") JsonNode document) {
        String text = MAPPER.writeValueAsString(document);
        JsonNode parsed = MAPPER.readTree(text);
        JsonNode read = ColumnFile.document(ColumnFile.bytes(parsed));
        assertThat(read).isEqualTo(parsed);
        assertThat(MAPPER.writeValueAsString(read)).as("order and digits, too").isEqualTo(text);
    }

    @Provide
    Arbitrary<JsonNode> documents() {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        Arbitrary<JsonNode> leaf = Arbitraries.oneOf(
                Arbitraries.of(nodes.nullNode(), nodes.booleanNode(true), nodes.booleanNode(false)),
                Arbitraries.longs().map(nodes::numberNode),
                Arbitraries.integers().between(-40, 40).map(nodes::numberNode),
                Arbitraries.doubles().map(nodes::numberNode),
                Arbitraries.strings().ofMaxLength(12).map(nodes::stringNode),
                Arbitraries.strings().withChars("0123456789abcdef").ofLength(64).map(nodes::stringNode),
                Arbitraries.create(
                        () -> nodes.stringNode(java.util.UUID.randomUUID().toString())));
        Arbitrary<JsonNode> row = Arbitraries.longs()
                .between(-5000, 5000)
                .map(value -> 32 * value)
                .list()
                .ofMaxSize(9)
                .map(values -> {
                    ArrayNode array = nodes.arrayNode();
                    values.forEach(array::add);
                    return array;
                });
        return Arbitraries.recursive(() -> Arbitraries.oneOf(leaf, row), this::inside, 0, 3);
    }

    private Arbitrary<JsonNode> inside(Arbitrary<JsonNode> members) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        Arbitrary<JsonNode> arrays = members.list().ofMaxSize(5).map(values -> {
            ArrayNode array = nodes.arrayNode();
            values.forEach(array::add);
            return array;
        });
        Arbitrary<JsonNode> objects = Arbitraries.maps(Arbitraries.of("id", "ns", "config", "ä b", ""), members)
                .ofMaxSize(5)
                .map(values -> {
                    ObjectNode object = nodes.objectNode();
                    values.forEach(object::set);
                    return object;
                });
        return Arbitraries.oneOf(arrays, objects);
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
