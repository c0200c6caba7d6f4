package dev.tilewright.worker.cli.export;

import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.link.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How the trials of a study are written beside the kernel that was chosen from them. */
public enum RecordFormat {
    /**
     * The interchange format of auto-tuners, version 1.0.0: a result for each config that says something of it. The
     * format has no word for a result that nobody checked: it lists {@code timeout, compile, runtime, correctness,
     * constraints, correct}, and wants one of them. A prediction is written as {@code correctness} with correctness 0:
     * right it was not shown to be. Members beside those of the format, which it allows, say that it is one.
     */
    T4(".t4.json"),
    /** A row for each trial. */
    CSV(".trials.csv"),
    /** The trials as the service answers them, as far as they are recorded. */
    JSON(".trials.json");

    private static final double NS_OF_MS = 1e6;

    private static final String UNVERIFIED = "correctness";

    private final String ending;

    RecordFormat(String ending) {
        this.ending = ending;
    }

    /** The ending of the file's name. */
    String ending() {
        return ending;
    }

    byte[] bytes(StudyRecord record) {
        return switch (this) {
            case T4 -> Json.pretty().writeValueAsBytes(t4(record));
            case CSV -> csv(record).getBytes(StandardCharsets.UTF_8);
            case JSON -> Json.pretty().writeValueAsBytes(record);
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of a time. A predicted time has a name of its own, so that nobody takes it for a measurement. */
    private static String time(StudyRecord record) {
        return record.testbed().kind() == TestbedKind.CUDA
                ? "time"
                : record.testbed().kind() + " time";
    }

    private static Map<String, Object> t4(StudyRecord record) {
        String objective = time(record);
        boolean verified = isVerified(record.testbed().kind());
        List<Object> results = new ArrayList<>();
        for (TrialDocument trial : record.telling()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put(
                    "timestamp",
                    trial.finishedAt() == null ? "" : trial.finishedAt().toString());
            Map<String, Object> configuration = new LinkedHashMap<>();
            trial.config().values().forEach((name, value) -> configuration.put(name, value));
            result.put("configuration", configuration);
            result.put("objectives", List.of(objective));
            result.put("times", times(trial));
            boolean completed = trial.outcome() == TrialOutcome.COMPLETED;
            result.put(
                    "invalidity",
                    completed && !verified ? UNVERIFIED : invalidity(Objects.requireNonNull(trial.outcome())));
            result.put("correctness", completed && verified ? 1 : 0);
            result.put("verified", verified);
            result.put(
                    "measurements",
                    trial.lastSustained()
                            .map(measured -> List.of(measurement(objective, measured.medianNs() / NS_OF_MS, "ms")))
                            .orElse(List.of()));
            results.add(result);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema_version", "1.0.0");
        document.put(
                "testbed",
                Map.of(
                        "kind", record.testbed().kind().toString(),
                        "device", record.testbed().device()));
        document.put("results", results);
        return document;
    }

    /** A model computes no result that could be compared with anything. */
    private static boolean isVerified(TestbedKind kind) {
        return switch (kind) {
            case CUDA, EMULATED -> true;
            case SIMULATED -> false;
        };
    }

    private static Map<String, Object> measurement(String name, double value, String unit) {
        Map<String, Object> measurement = new LinkedHashMap<>();
        measurement.put("name", name);
        measurement.put("value", value);
        measurement.put("unit", unit);
        return measurement;
    }

    /** In milliseconds. */
    private static Map<String, Object> times(TrialDocument trial) {
        Map<String, Object> times = new LinkedHashMap<>();
        times.put("compilation_time", ms(trial, "build", "assemble"));
        times.put(
                "runtimes",
                trial.lastSustained()
                        .map(measured -> List.of(measured.medianNs() / NS_OF_MS))
                        .orElse(List.of()));
        times.put("validation", ms(trial, "check", "verify"));
        return times;
    }

    private static double ms(TrialDocument trial, String... parts) {
        Map<String, Long> timesNs = Objects.requireNonNullElse(trial.timesNs(), Map.of());
        return Stream.of(parts)
                        .mapToLong(part -> timesNs.getOrDefault(part, 0L))
                        .sum()
                / NS_OF_MS;
    }

    private static String invalidity(TrialOutcome outcome) {
        return switch (outcome) {
            case COMPLETED -> "correct";
            case PRUNED -> "constraints";
            case UNASSEMBLED, BUILD, COMPILE, SPILL -> "compile";
            case TIMEOUT -> "timeout";
            case MISMATCH, HAZARD -> "correctness";
            case LAUNCH, CRASH, NOISE, IMPLAUSIBLE, QUARANTINED, CANCELLED, INFRASTRUCTURE -> "runtime";
        };
    }

    private static String csv(StudyRecord record) {
        StringBuilder lines = new StringBuilder(
                "kind,device,problem,config,outcome,stage,us,ciLowUs,ciHighUs,tflops,errorRatio,registers\n");
        for (TrialDocument trial : record.trials()) {
            Measurement measured = trial.lastSustained().orElse(null);
            lines.append(Stream.of(
                            record.testbed().kind(),
                            quoted(record.testbed().device()),
                            quoted(record.problem()),
                            trial.config().canonical(),
                            trial.outcome(),
                            measured == null ? null : measured.stage(),
                            measured == null ? null : us(measured.medianNs()),
                            measured == null ? null : us(measured.ciLowNs()),
                            measured == null ? null : us(measured.ciHighNs()),
                            trial.tflops(),
                            trial.errorRatio(),
                            trial.registers())
                    .map(value -> value == null ? "" : value.toString())
                    .reduce((left, right) -> left + "," + right)
                    .orElse(""));
            lines.append('\n');
        }
        return lines.toString();
    }

    private static @Nullable Double us(@Nullable Double ns) {
        return ns == null ? null : ns / 1e3;
    }

    private static String quoted(String text) {
        return text.matches("[^,\"\n]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
