package dev.tilewright.launch.bundle;

import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.expression.Expression;
import dev.tilewright.launch.expression.ExpressionException;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads expressions and rules, and looks whether their names and words mean something.
 *
 * @param names that have a meaning
 * @param words that some parameter has as a value
 */
record RuleReader(Set<String> names, Set<String> words) {
    static final Set<String> OF_PROBLEM = Set.of("m", "n", "k", "batch");
    /** Names of {@code let}, parameters, constraints, conditions: of each at most so many. */
    static final int MOST = 64;

    static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,62}");

    /** Of rules that problems keep. */
    static RuleReader ofProblem() {
        return new RuleReader(new TreeSet<>(OF_PROBLEM), Set.of());
    }

    /** Of rules that configs keep. */
    static RuleReader of(List<BundleParameter> parameters) {
        Set<String> names = new TreeSet<>(OF_PROBLEM);
        names.add(Definitions.SMS);
        Set<String> words = new TreeSet<>();
        parameters.forEach(parameter -> {
            names.add(parameter.name());
            parameter.values().stream().map(ParameterValue::toString).forEach(words::add);
        });
        return new RuleReader(names, words);
    }

    Expression expression(Node node) {
        try {
            Expression expression =
                    Expression.parse(node instanceof Node.Scalar scalar ? scalar.written() : node.text());
            requireKnown(node, expression, "names", expression.names(), names);
            // A word that no parameter has is a slip of the pen, and a comparison with it never holds.
            requireKnown(node, expression, "words", expression.words(), words);
            return expression;
        } catch (ExpressionException malformed) {
            DocumentException wrong = node.at().wrong("expression " + malformed.getMessage());
            wrong.initCause(malformed);
            throw wrong;
        }
    }

    private static void requireKnown(
            Node node, Expression expression, String what, Set<String> used, Set<String> known) {
        Set<String> unknown = new TreeSet<>(used);
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw node.at().wrong("unknown " + what + " " + unknown + " in '" + expression + "'; known: " + known);
        }
    }

    /** Requires that there are not more names or rules than a person writes: each is looked at for each config. */
    static void requireFew(Node at, int entries) {
        if (entries > MOST) {
            throw at.at().wrong("must have at most " + MOST + " entries, got " + entries);
        }
    }

    /**
     * Rules, each a text, or a mapping with an id and a reason.
     *
     * @param prefix of the ids of those that have none
     */
    List<BundleRule> rules(Optional<Node> list, String prefix) {
        List<BundleRule> rules = new ArrayList<>();
        List<Node> items = list.map(Node::items).orElse(List.of());
        list.ifPresent(node -> requireFew(node, items.size()));
        for (Node item : items) {
            String id = prefix + (rules.size() + 1);
            if (item instanceof Node.Mapping mapping) {
                mapping.only("id", "that", "because");
                rules.add(new BundleRule(
                        mapping.find("id").map(RuleReader::id).orElse(id),
                        expression(mapping.get("that")),
                        mapping.find("because").map(Node::text)));
            } else {
                rules.add(new BundleRule(id, expression(item), Optional.empty()));
            }
        }
        List<String> ids = rules.stream().map(BundleRule::id).toList();
        if (ids.stream().distinct().count() < ids.size()) {
            throw list.orElseThrow().at().wrong("has an id twice: " + ids);
        }
        return rules;
    }

    private static String id(Node node) {
        if (!IDENTIFIER.matcher(node.text()).matches()) {
            throw node.at().wrong("must be " + IDENTIFIER + ", got " + node.shown());
        }
        return node.text();
    }
}
