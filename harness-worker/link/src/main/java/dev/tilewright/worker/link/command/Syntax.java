package dev.tilewright.worker.link.command;

import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.text.FileFault;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what the user typed. An error names the option and the text. */
public final class Syntax {

    private static final Pattern SETTING = Pattern.compile("([A-Za-z][A-Za-z0-9_-]*)=(.+)");

    private Syntax() {}

    /** Applies a reader of the model, whose message names text and rule. */
    public static <T> T read(String option, String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException wrong) {
            throw CommandFailedException.usage(
                    option + ": " + Suggestion.to(String.valueOf(wrong.getMessage())), wrong);
        }
    }

    /** {@code name=v1,v2} of each repetition; a name may be given once. */
    public static Map<String, List<ParameterValue>> settings(String option, List<String> texts) {
        Map<String, List<ParameterValue>> settings = new LinkedHashMap<>();
        for (String text : texts) {
            Matcher matcher = SETTING.matcher(text);
            if (!matcher.matches()) {
                throw CommandFailedException.usage(option
                        + ": expected name=value[,value...], such as scheduler=static,atomic, got '" + text + "'");
            }
            List<ParameterValue> values = Stream.of(matcher.group(2).split(",", -1))
                    .map(value -> read(option + " " + matcher.group(1), value.strip(), ParameterValue::parse))
                    .toList();
            List<ParameterValue> earlier = settings.put(matcher.group(1), values);
            if (earlier != null) {
                throw CommandFailedException.usage(option + ": parameter '" + matcher.group(1) + "' is given twice: "
                        + joined(earlier) + " and " + joined(values));
            }
        }
        return settings;
    }

    private static String joined(List<ParameterValue> values) {
        return values.stream().map(ParameterValue::toString).collect(Collectors.joining(","));
    }

    /** Nothing, or a number of at least 1. */
    public static void requirePositive(String option, @Nullable Number value) {
        requireAtLeast(option, 1, value);
    }

    /** Nothing, or a number of at least so much. */
    public static void requireAtLeast(String option, long least, @Nullable Number value) {
        if (value != null && value.longValue() < least) {
            throw CommandFailedException.usage(option + ": must be at least " + least + ", got " + value);
        }
    }

    /**
     * Scenarios with these numbers of busy SMs, each once; the quiet one if there is no number.
     *
     * @param smCount SMs of the device, of which one must be left
     */
    public static List<Scenario> scenarios(String option, List<Integer> busySms, int smCount) {
        for (int busy : busySms) {
            if (busy < 0) {
                throw CommandFailedException.usage(option + ": must be at least 0, got " + busy);
            }
            if (busy >= smCount) {
                throw CommandFailedException.usage(option + ": must be at most " + (smCount - 1)
                        + ", one less than the " + smCount + " SMs of the device, got " + busy);
            }
        }
        if (busySms.stream().distinct().count() < busySms.size()) {
            throw CommandFailedException.usage(option + ": lists a number twice: " + busySms);
        }
        return busySms.isEmpty()
                ? List.of(Scenario.QUIET)
                : busySms.stream().map(Scenario::new).toList();
    }

    /** Nothing, or a file that can be written: better known before an hour of tuning than after. */
    public static void requireWritable(String option, @Nullable Path file) {
        if (file != null) {
            Path directory = file.toAbsolutePath().getParent();
            if (!Files.isDirectory(directory) || !Files.isWritable(directory) || Files.isDirectory(file)) {
                throw CommandFailedException.usage(option + ": cannot write " + file);
            }
        }
    }

    /** Nothing, or a folder, which is made if it is not there. */
    public static void requireFolder(String option, @Nullable Path folder) {
        try {
            if (folder != null) {
                Files.createDirectories(folder);
            }
        } catch (IOException unusable) {
            throw CommandFailedException.usage(
                    option + ": cannot write into " + folder + ": " + FileFault.reason(unusable));
        }
    }

    /** Nothing, or a file that can be read. */
    public static void requireReadable(String option, @Nullable Path file) {
        if (file != null && !Files.isRegularFile(file)) {
            throw CommandFailedException.usage(
                    option + ": must be a file, but " + file + (Files.exists(file) ? " is none" : " does not exist"));
        }
        if (file != null && !Files.isReadable(file)) {
            throw CommandFailedException.usage(option + ": " + file + " may not be read");
        }
    }

    /** A name that is sent as a part of a path. */
    public static void requireSegment(String option, String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw CommandFailedException.usage(
                    option + ": must be letters, digits, '.', '_' or '-', got '" + text + "'");
        }
    }

    /** The address of an API. */
    public static URI api(String text) {
        try {
            URI uri = new URI(text);
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException notOne) {
            // Said below, in our words.
        }
        String hint = text.matches("[A-Za-z0-9.-]+(:\\d+)?/*") && text.matches(".*[.:].*|localhost")
                ? "; did you mean http://" + text + "?"
                : "";
        throw CommandFailedException.usage(
                "--api: expected an address such as http://127.0.0.1:8080, got '" + text + "'" + hint);
    }
}
