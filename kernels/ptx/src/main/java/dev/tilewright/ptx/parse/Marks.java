package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.SharedLayout;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.WarpRole;
import dev.tilewright.ptx.text.MarkText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The marks that our writer puts into comments because PTX has no words for them: the roles of warps and the regions of
 * the dynamic shared memory. A comment that only looks alike is a comment.
 */
final class Marks {
    private static final Pattern REGION =
            Pattern.compile("shared (.+): (data|barriers), (\\d{1,9}) bytes at (\\d{1,9}), align (\\d{1,9})");
    private static final Pattern ROLE = Pattern.compile("role (.+): warps (\\d{1,3})\\.\\.(\\d{1,3})");
    private static final Pattern END = Pattern.compile("end role (.+)");

    private final List<WarpRole> roles = new ArrayList<>();
    private final List<SharedRegion> regions = new ArrayList<>();
    /** Indices of the roles that are open, the innermost first. */
    private final Deque<Integer> open = new ArrayDeque<>();

    /**
     * Reads a comment.
     *
     * @param statement index of the statement that will follow
     * @return whether it was a mark
     */
    boolean read(Remark remark, int statement) {
        if (!remark.text().startsWith(MarkText.SIGN)) {
            return false;
        }
        String text = remark.text().substring(MarkText.SIGN.length());
        Matcher region = REGION.matcher(text);
        Matcher role = ROLE.matcher(text);
        Matcher end = END.matcher(text);
        try {
            if (region.matches()) {
                regions.add(new SharedRegion(
                        region.group(1),
                        SharedRegion.Kind.valueOf(region.group(2).toUpperCase(Locale.ROOT)),
                        Integer.parseInt(region.group(4)),
                        Integer.parseInt(region.group(3)),
                        Integer.parseInt(region.group(5))));
            } else if (role.matches()) {
                int first = Integer.parseInt(role.group(2));
                int warps = Integer.parseInt(role.group(3)) - first + 1;
                Optional<String> parent = Optional.ofNullable(open.peek())
                        .map(index -> roles.get(index).name());
                roles.add(new WarpRole(role.group(1), first, warps, statement, statement, parent));
                open.push(roles.size() - 1);
            } else if (end.matches()) {
                close(remark, end.group(1), statement);
            } else {
                return false;
            }
        } catch (IllegalArgumentException e) {
            throw new Refusal(remark.at(), String.valueOf(e.getMessage()));
        }
        return true;
    }

    private void close(Remark remark, String name, int statement) {
        if (open.isEmpty() || !roles.get(open.peek()).name().equals(name)) {
            throw new Refusal(remark.at(), "role " + name + " ends but is not the innermost that began");
        }
        int index = open.pop();
        WarpRole role = roles.get(index);
        roles.set(
                index,
                new WarpRole(name, role.firstWarp(), role.warps(), role.firstStatement(), statement, role.parent()));
    }

    /** The roles in the order in which they begin. */
    List<WarpRole> roles() {
        if (!open.isEmpty()) {
            throw new IllegalArgumentException("role " + roles.get(open.peek()).name() + " begins but does not end");
        }
        return roles;
    }

    SharedLayout layout() {
        return new SharedLayout(regions);
    }
}
