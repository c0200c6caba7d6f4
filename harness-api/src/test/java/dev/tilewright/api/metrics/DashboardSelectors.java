package dev.tilewright.api.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds what dashboards and alert rules ask of Prometheus against what the service says: its metrics and their labels.
 */
final class DashboardSelectors {

    /** A label's value may have braces: paths of the API do. */
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:tilewright|http_server_requests)_[a-z_]+)(?:\\{((?:[^\"}]|\"[^\"]*\")*)})?");

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(!?=~?)\\s*\"([^\"]*)\"");
    /** What Prometheus says itself: whether it could read a target. */
    private static final Pattern OF_PROMETHEUS = Pattern.compile("^up\\b");

    private static final Pattern NAMED =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^()]*)\\)");
    /** An expression that is one aggregate, or compares or divides several of the same labels. */
    private static final Pattern AGGREGATE = Pattern.compile(
            "^(?:sum|min|max|avg|count|quantile)\\s*(?:by\\s*\\(([^()]*)\\)\\s*)?\\(.*", Pattern.DOTALL);

    private static final Pattern SHOWN = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?([A-Za-z_]+)\\s*}}");

    /**
     * A query of a panel, or an alert rule.
     *
     * @param text PromQL
     * @param shown legend of a panel, or annotations of a rule, with labels as {@code {{device}}}
     */
    record Expression(String where, String text, String shown) {}

    /** One time series of a scrape. */
    private record Series(String name, Map<String, String> labels) {

        static Series of(MatchResult metric) {
            Map<String, String> labels = new HashMap<>();
            if (metric.group(2) != null) {
                LABEL.matcher(metric.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(3)));
            }
            return new Series(metric.group(1), labels);
        }

        /** Whether a selector of PromQL with {@code =} and {@code !=} could be about this series. */
        boolean answers(MatchResult selector) {
            return name.equals(selector.group(1))
                    && (selector.group(2) == null
                            || LABEL.matcher(selector.group(2))
                                    .results()
                                    .allMatch(label -> label.group(2).equals("=")
                                            ? label.group(3).equals(labels.get(label.group(1)))
                                            : labels.containsKey(label.group(1))));
        }
    }

    private DashboardSelectors() {}

    /**
     * What expressions ask for and the service does not say, one line each.
     *
     * @param scrape of a service that has done a little of everything
     */
    static List<String> missing(String scrape, List<Expression> expressions) {
        List<Series> scraped = scrape.lines()
                .map(METRIC::matcher)
                .filter(Matcher::lookingAt)
                .map(metric -> Series.of(metric.toMatchResult()))
                .toList();
        return expressions.stream()
                .flatMap(expression -> missing(scraped, expression).stream()
                        .map(what -> expression.where() + ": " + what + ": " + expression.text()))
                .toList();
    }

    private static List<String> missing(List<Series> scraped, Expression expression) {
        List<MatchResult> selectors =
                METRIC.matcher(expression.text()).results().toList();
        List<String> missing = new ArrayList<>();
        Set<String> named = named(expression.text());
        Set<String> carried = new TreeSet<>();
        for (MatchResult selector : selectors) {
            List<Series> answers =
                    scraped.stream().filter(series -> series.answers(selector)).toList();
            if (answers.isEmpty()) {
                missing.add("no series " + selector.group());
            }
            Set<String> labels = answers.stream()
                    .flatMap(series -> series.labels().keySet().stream())
                    .collect(Collectors.toSet());
            // What is grouped or matched by is a label of both sides.
            named.stream()
                    .filter(label -> !labels.contains(label))
                    .forEach(label -> missing.add(selector.group() + " has no label " + label));
            if (selector == selectors.getFirst()) {
                carried.addAll(labels);
            }
        }
        boolean ofPrometheus = OF_PROMETHEUS.matcher(expression.text()).find();
        if (selectors.isEmpty() && !ofPrometheus) {
            missing.add("no metric of the service");
        }
        Set<String> left = left(expression.text(), carried);
        SHOWN.matcher(expression.shown())
                .results()
                .map(shown -> shown.group(1))
                .filter(label -> !left.contains(label))
                .forEach(label -> missing.add("shows the label " + label + ", which its result has not"));
        return missing;
    }

    /** Labels by which something is grouped or matched. */
    private static Set<String> named(String expression) {
        return NAMED.matcher(expression)
                .results()
                .flatMap(list -> labels(list.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Labels that the result of an expression has, of those of its first series. */
    private static Set<String> left(String expression, Set<String> carried) {
        Matcher aggregate = AGGREGATE.matcher(expression.strip());
        return aggregate.matches()
                ? labels(Objects.requireNonNullElse(aggregate.group(1), "")).collect(Collectors.toSet())
                : carried;
    }

    private static Stream<String> labels(String list) {
        return Stream.of(list.split(",")).map(String::strip).filter(label -> !label.isEmpty());
    }
}
