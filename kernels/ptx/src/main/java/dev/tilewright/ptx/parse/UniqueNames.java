package dev.tilewright.ptx.parse;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The names that the flat body of a function has used up. */
final class UniqueNames {
    private final Set<String> registers = new HashSet<>();
    private final Map<String, Integer> ranges = new HashMap<>();
    private final Set<String> labels = new HashSet<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    /** Names that variables of the module have. */
    UniqueNames(Set<String> outside) {
        labels.addAll(outside);
    }

    String register(String name) {
        String candidate = name;
        while (registers.contains(candidate) || inRange(candidate)) {
            candidate = name + "$" + number(name);
        }
        registers.add(candidate);
        return candidate;
    }

    String range(String prefix, int count) {
        String candidate = prefix;
        while (overlaps(candidate, count)) {
            candidate = prefix + "$" + number(prefix) + "_";
        }
        ranges.put(candidate, count);
        return candidate;
    }

    String label(String name) {
        String candidate = name;
        while (!labels.add(candidate)) {
            candidate = name + "$" + number(name);
        }
        return candidate;
    }

    private int number(String name) {
        return numbers.merge(name, 1, Integer::sum) + 1;
    }

    private boolean inRange(String name) {
        for (int split = firstSplit(name); split < name.length(); split++) {
            Integer count = ranges.get(name.substring(0, split));
            if (count != null && covers(count, name.substring(split))) {
                return true;
            }
        }
        return false;
    }

    /** Ranges whose names begin alike are kept apart even where their numbers would not meet. */
    private boolean overlaps(String prefix, int count) {
        for (String other : ranges.keySet()) {
            String longer = other.length() > prefix.length() ? other : prefix;
            String shorter = longer.equals(other) ? prefix : other;
            if (longer.startsWith(shorter)
                    && longer.substring(shorter.length()).chars().allMatch(c -> c >= '0' && c <= '9')) {
                return true;
            }
        }
        return registers.stream()
                .anyMatch(name -> name.startsWith(prefix) && covers(count, name.substring(prefix.length())));
    }

    /** The index at which the digits at the end of a name begin; at least 1. */
    static int firstSplit(String name) {
        int split = name.length();
        while (split > 1 && name.charAt(split - 1) >= '0' && name.charAt(split - 1) <= '9') {
            split--;
        }
        return split;
    }

    /** Whether the digits are one of the numbers below {@code count}, written without needless zeros. */
    static boolean covers(int count, String digits) {
        if (digits.isEmpty() || digits.length() > 9 || (digits.length() > 1 && digits.charAt(0) == '0')) {
            return false;
        }
        return digits.chars().allMatch(c -> c >= '0' && c <= '9') && Integer.parseInt(digits) < count;
    }
}
