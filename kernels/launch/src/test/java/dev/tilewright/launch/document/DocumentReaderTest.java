package dev.tilewright.launch.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentReaderTest {
    /** Parsing one scalar of 3 MB took seconds of CPU. */
    @Test
    void sizesAreRefusedBeforeTheTextIsParsed() {
        assertThatThrownBy(() -> DocumentReader.read("a: *".repeat(DocumentReader.MOST_YAML / 4) + "x", false))
                .hasMessage("1:1: document: has at most 262144 characters of YAML, got 262145");
        assertThatThrownBy(() ->
                        DocumentReader.read("a: 1\nb: *" + "x".repeat(DocumentReader.MOST_LINE - 3) + "\n", false))
                .hasMessage("2:1: document: a line of YAML has at most 65536 characters, got 65537");
        assertThatThrownBy(() -> DocumentReader.read("[".repeat(DocumentReader.MOST_JSON + 1), true))
                .hasMessage("1:1: document: has at most 4194304 characters of JSON, got 4194305");
    }

    @Test
    void whatIsAtTheLimitIsRead() {
        String line = "# " + "x".repeat(DocumentReader.MOST_LINE - 2) + "\n";
        String text = line.repeat(3) + "a: 1\n";
        assertThat(DocumentReader.read(text, false).mapping().get("a").integer(0, 9))
                .isEqualTo(1);
        String json = "{\"a\": \"" + "x".repeat(DocumentReader.MOST_LINE) + "\"}";
        assertThat(DocumentReader.read(json, true).mapping().get("a").text()).hasSize(DocumentReader.MOST_LINE);
    }

    /** The parsers speak of tokens, streams and code points. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: b: c | 1:5: document: is no YAML: a colon where no key can stand",
                "a: [1, 2 | document: is no YAML: a list in [] is not closed, or lacks a comma",
                "a: {b: 1 | document: is no YAML: a mapping in {} is not closed, or lacks a comma",
                "a: \"x | document: is no YAML: a quote is not closed",
                "a: @x | 1:2: document: is no YAML: a character that begins no value",
                "'a: 1~b~c: 2' | document: is no YAML: a key without a colon",
                "'a: 1~  b: 2~ c: 3' | document: is no YAML: ",
            })
    void whatIsNoYamlIsSaidInPlainWords(String text, String rule) {
        assertThatThrownBy(() -> DocumentReader.read(text.replace("~", "\n"), false))
                .hasMessageContaining(rule.strip())
                .message()
                .doesNotContain("token", "stream", "block mapping", "<", "in 'reader'");
    }

    @Test
    void whatIsNoJsonIsSaidInPlainWords() {
        assertThatThrownBy(() -> DocumentReader.read("{\"a\": x}", true))
                .hasMessageMatching("1:[0-9]+: document: is no JSON from here on");
    }
}
