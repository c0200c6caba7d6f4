package dev.tilewright.worker.link.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Records as lines of JSON. */
class JsonFormatterTest {

    private static LogRecord entry(Level level, String message) {
        LogRecord entry = new LogRecord(level, message);
        entry.setLoggerName("dev.tilewright.worker.Some");
        entry.setInstant(Instant.parse("2026-03-01T10:00:00.125Z"));
        return entry;
    }

    private static JsonNode line(LogRecord entry) {
        String line = new JsonFormatter().format(entry);
        assertThat(line).endsWith("\n").doesNotContain("\r");
        assertThat(line.strip().lines()).hasSize(1);
        return JsonMapper.shared().readTree(line);
    }

    @Test
    void aRecordIsOneLineWhateverItSays() {
        JsonNode line = line(entry(Level.WARNING, "two\nlines, \u001b[2J and \"quotes\""));
        assertThat(line.get("message").asString()).isEqualTo("two\nlines, \u001b[2J and \"quotes\"");
        assertThat(line.get("@timestamp").asString()).isEqualTo("2026-03-01T10:00:00.125Z");
        assertThat(line.get("level").asString()).isEqualTo("WARN");
        assertThat(line.get("logger_name").asString()).isEqualTo("dev.tilewright.worker.Some");
        assertThat(line.get("thread_name").asString())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(line.has("stack_trace")).isFalse();
        assertThat(line.has("study")).isFalse();
    }

    @Test
    void itHasTheIdsOfTheWorkAtHandAndItsStackTrace() {
        LogRecord entry = entry(Level.SEVERE, "lost");
        entry.setThrown(new IllegalStateException("no such device"));
        JsonNode line = LogIds.with(Map.of("study", "s", "trial", "t")).call(() -> line(entry));
        assertThat(line.get("study").asString()).isEqualTo("s");
        assertThat(line.get("trial").asString()).isEqualTo("t");
        assertThat(line.get("level").asString()).isEqualTo("ERROR");
        assertThat(line.get("stack_trace").asString())
                .startsWith("java.lang.IllegalStateException: no such device")
                .contains("JsonFormatterTest");
    }

    @Test
    void aFormatHasAName() {
        assertThat(LogFormat.named("json")).isEqualTo(LogFormat.JSON);
        assertThatThrownBy(() -> LogFormat.named("xml")).hasMessage("a log format is text or json, got 'xml'");
    }
}
