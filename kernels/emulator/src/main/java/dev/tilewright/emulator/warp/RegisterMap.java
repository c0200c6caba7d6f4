package dev.tilewright.emulator.warp;

import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The registers of an entry, and of the functions unfolded into it, as numbers. Those of up to 32 bits are words, those
 * of 64 are wide, of 128 two wide ones in a row; predicates are apart. An id numbers all of them: words, then wide
 * ones, then predicates.
 */
public final class RegisterMap {
    private enum Kind {
        WORD,
        WIDE,
        PREDICATE
    }

    private record Slot(Kind kind, int index) {}

    private final List<String> wordNames = new ArrayList<>();
    private final List<String> wideNames = new ArrayList<>();
    private final List<String> predicateNames = new ArrayList<>();

    public RegisterMap() {}

    /** The registers that one body declares, by their names. */
    public final class Scope {
        private final Map<String, Slot> slots = new HashMap<>();
        private final String prefix;

        /**
         * Declares registers.
         *
         * @param prefix before their names, for people
         */
        public Scope(String prefix, List<RegisterDecl> declarations) {
            this.prefix = prefix;
            for (RegisterDecl decl : declarations) {
                if (decl.count() == 0) {
                    declare(decl.type(), decl.name());
                }
                for (int i = 0; i < decl.count(); i++) {
                    declare(decl.type(), decl.name() + i);
                }
            }
        }

        private void declare(ScalarType type, String name) {
            Kind kind = type == ScalarType.PRED ? Kind.PREDICATE : type.bits() <= 32 ? Kind.WORD : Kind.WIDE;
            List<String> names = names(kind);
            slots.put(name, new Slot(kind, names.size()));
            names.add(prefix + name);
            if (type.bits() == 128) {
                names.add(prefix + name + ".high");
            }
        }

        /** Number among the registers of its kind. */
        public int index(Reg<?> register) {
            return slot(register).index;
        }

        /** Number among all; known once all bodies have declared theirs. */
        public int id(Reg<?> register) {
            Slot slot = slot(register);
            return switch (slot.kind) {
                case WORD -> slot.index;
                case WIDE -> wordNames.size() + slot.index;
                case PREDICATE -> predicateId(slot.index);
            };
        }

        public boolean isWord(Reg<?> register) {
            return slot(register).kind == Kind.WORD;
        }

        private Slot slot(Reg<?> register) {
            Slot slot = slots.get(register.name());
            if (slot == null) {
                throw new IllegalArgumentException("register " + register.name() + " is not declared");
            }
            return slot;
        }
    }

    private List<String> names(Kind kind) {
        return switch (kind) {
            case WORD -> wordNames;
            case WIDE -> wideNames;
            case PREDICATE -> predicateNames;
        };
    }

    public int words() {
        return wordNames.size();
    }

    public int wides() {
        return wideNames.size();
    }

    public int predicates() {
        return predicateNames.size();
    }

    public int predicateId(int predicate) {
        return wordNames.size() + wideNames.size() + predicate;
    }

    /** All registers. */
    public int count() {
        return wordNames.size() + wideNames.size() + predicateNames.size();
    }

    /** Name of the register with this id. */
    public String name(int id) {
        if (id < wordNames.size()) {
            return wordNames.get(id);
        }
        int rest = id - wordNames.size();
        return rest < wideNames.size() ? wideNames.get(rest) : predicateNames.get(rest - wideNames.size());
    }
}
