package dev.tilewright.emulator.hazard;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules that a user lets a kernel break, by name. */
public final class AcceptedRules {
    private AcceptedRules() {}

    /**
     * The rules of a list of names. The name {@value Rule#VENDOR_IDIOMS} stands for several.
     *
     * @throws IllegalArgumentException if there is no such rule, or no run goes on behind it
     */
    public static Set<Rule> named(List<String> names) {
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        for (String name : names) {
            if (name.equals(Rule.VENDOR_IDIOMS)) {
                Arrays.stream(Rule.values()).filter(Rule::vendorIdiom).forEach(rules::add);
            } else {
                rules.add(named(name));
            }
        }
        return rules;
    }

    private static Rule named(String name) {
        Rule rule = Rule.named(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no rule '" + name + "', the nearest is '" + nearest(name) + "'" + known()));
        if (!rule.acceptable()) {
            throw new IllegalArgumentException("rule '" + name + (rule.warns() ? "' only warns" : "' ends a run")
                    + " and cannot be accepted" + known());
        }
        return rule;
    }

    private static String known() {
        return Arrays.stream(Rule.values())
                .filter(Rule::acceptable)
                .map(Rule::text)
                .collect(Collectors.joining(", ", "; what can be accepted: " + Rule.VENDOR_IDIOMS + ", ", ""));
    }

    private static String nearest(String name) {
        return Arrays.stream(Rule.values())
                .map(Rule::text)
                .min(Comparator.comparingInt(text -> distance(name, text)))
                .orElseThrow();
    }

    /** Letters to insert, drop or replace. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, j -> j);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
