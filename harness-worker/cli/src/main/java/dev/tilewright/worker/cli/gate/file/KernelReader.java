package dev.tilewright.worker.cli.gate.file;

import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads a kernel: exactly one of a config, a bundle, a build of one, the best config and a peer. */
record KernelReader(Complaints complaints) {

    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final int MOST_WHOLE = 999_999_999;
    private static final int USUAL_LIMIT = 600;
    private static final int MOST_LIMIT = 86_400;

    Optional<KernelEntry> read(String name, Node node) {
        Optional<Node.Mapping> said = complaints.read(node::mapping);
        if (said.isEmpty()) {
            return Optional.empty();
        }
        Node.Mapping kernel = said.get();
        ConfigRequest config =
                complaints.find(kernel, "config", this::config).orElse(ConfigRequest.of(Config.of(Map.of())));
        Optional<String> family = complaints.find(kernel, "family", KernelReader::word);
        Optional<String> source = complaints.find(kernel, "source", KernelReader::path);
        return origin(kernel)
                .map(origin -> new KernelEntry(
                        name, origin, family, config, source, node.at().line()));
    }

    private Optional<KernelEntry.Origin> origin(Node.Mapping kernel) {
        if (has(kernel, "build")) {
            only(kernel, "build", "bundle", "limitSeconds", "config", "source");
            Optional<String> command = complaints.find(kernel, "build", KernelReader::word);
            Optional<String> bundle = complaints.get(kernel, "bundle", KernelReader::path);
            int limit = complaints
                    .find(kernel, "limitSeconds", value -> value.small(1, MOST_LIMIT))
                    .orElse(USUAL_LIMIT);
            return command.flatMap(
                    run -> bundle.map(made -> new KernelEntry.Built(run, made, Duration.ofSeconds(limit))));
        }
        if (has(kernel, "bundle")) {
            only(kernel, "bundle", "config", "source");
            return complaints.find(kernel, "bundle", KernelReader::path).map(KernelEntry.OfBundle::new);
        }
        if (has(kernel, "peer")) {
            only(kernel, "peer", "algorithm");
            Optional<String> algorithm = complaints.find(kernel, "algorithm", KernelReader::word);
            return complaints
                    .find(kernel, "peer", KernelReader::word)
                    .map(peer -> new KernelEntry.OfPeer(peer, algorithm));
        }
        if (has(kernel, "best")) {
            only(kernel, "best", "family", "source");
            return complaints.find(kernel, "best", KernelReader::isBest).map(_ -> new KernelEntry.Best());
        }
        only(kernel, "config", "family", "source");
        if (!has(kernel, "config")) {
            complaints.add(kernel, "needs one of the keys 'config', 'bundle', 'build', 'best' and 'peer'");
            return Optional.empty();
        }
        return Optional.of(new KernelEntry.OfFamily());
    }

    private void only(Node.Mapping kernel, String... keys) {
        complaints.only(kernel, List.of(keys));
    }

    private static boolean has(Node.Mapping kernel, String key) {
        return kernel.find(key).isPresent();
    }

    private static boolean isBest(Node node) {
        if (!node.flag()) {
            throw node.at().wrong("must be true, or is left out, got " + node.shown());
        }
        return true;
    }

    static String word(Node node) {
        String text = node.text();
        if (text.isBlank()) {
            throw node.at().wrong("must not be blank, got " + node.shown());
        }
        return text;
    }

    /** It is looked up in other checkouts too, so it may not lead out of its own. */
    static String path(Node node) {
        String text = word(node);
        Path path = Path.of(text).normalize();
        if (path.isAbsolute() || path.startsWith("..")) {
            throw node.at().wrong("must be a path below the folder of the file, got " + node.shown());
        }
        return text;
    }

    /** A text is of a family; a bundle has no words. */
    private ConfigRequest config(Node node) {
        if (node instanceof Node.Scalar) {
            return new ConfigRequest.Text(word(node));
        }
        Map<String, ParameterValue> values = new LinkedHashMap<>();
        node.mapping().entries().forEach((name, value) -> {
            if (!PARAMETER.matcher(name).matches()) {
                complaints.add(value, "the name of a parameter is " + PARAMETER + ", got '" + name + "'");
            }
            complaints.read(() -> value(value)).ifPresent(read -> values.put(name, read));
        });
        return ConfigRequest.of(Config.of(values));
    }

    private static ParameterValue value(Node node) {
        return node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.TEXT
                ? ParameterValue.of(word(node))
                : whole(node);
    }

    private static ParameterValue whole(Node node) {
        try {
            return ParameterValue.of(node.small(-MOST_WHOLE, MOST_WHOLE));
        } catch (DocumentException neither) {
            throw node.at().wrong("must be a whole number or a word, got " + node.shown());
        }
    }
}
