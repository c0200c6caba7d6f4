package dev.tilewright.ptx.form;

import dev.tilewright.ptx.form.Slot.Typed;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Irregular;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.List;
import java.util.function.Consumer;

/** The operands of an instruction, by its line of {@link Forms} or as an {@link Irregular} one tells them. */
public final class Operands {
    private final Form form;
    private final Instruction instruction;
    private final OperandVisitor visitor;

    private Operands(Instruction instruction, OperandVisitor visitor) {
        this.form = Forms.of(instruction.getClass());
        this.instruction = instruction;
        this.visitor = visitor;
    }

    /** Visits every operand, with the type that the instruction reads or writes it as, in the order of the text. */
    public static void visit(Instruction instruction, OperandVisitor visitor) {
        if (instruction instanceof Irregular irregular) {
            irregular.operands(visitor);
        } else {
            Operands operands = new Operands(instruction, visitor);
            operands.form.slots().forEach(operands::slot);
        }
    }

    private void slot(Slot slot) {
        switch (slot) {
            case Slot.Register register -> register(register);
            case Slot.Value value -> value(value);
            case Slot.Sink(Slot.Register register) -> register(register);
            case Slot.Pair pair -> {
                register(pair.first());
                register(pair.second());
            }
            case Slot.Vector(Slot.Single elements) -> slot(elements);
            case Slot.Mask(int component) -> read(component, ScalarType.B32);
            case Slot.At at -> address(at);
            case Slot.Box box -> {
                visitor.address((Address) one(box.map()));
                read(box.coordinates(), ScalarType.S32);
            }
            case Slot.Predicate predicate -> read(predicate.component(), ScalarType.PRED);
            case Slot.Target(int component) -> visitor.target((Label) one(component));
            case Slot.Number _, Slot.Bytes _ -> {}
        }
    }

    private void register(Slot.Register register) {
        ScalarType type = type(register.type().orElseThrow());
        if (register.written()) {
            each(register.component(), written -> visitor.write((Reg<?>) written, type));
        } else {
            read(register.component(), type);
        }
    }

    private void value(Slot.Value value) {
        value.limits()
                .ifPresent(limits -> each(
                        value.component(),
                        operand -> visitor.within(
                                form.described(value.component()), (Operand<?>) operand, limits.low(), limits.high())));
        read(value.component(), type(value.type()));
    }

    private void address(Slot.At at) {
        switch (one(at.component())) {
            case TensorAddress address -> visitor.read(address.base(), ScalarType.B32);
            case Address address -> {
                if (at.alignment() > 1) {
                    visitor.aligned(form.described(at.component()), address, at.alignment());
                }
                visitor.address(address);
            }
            case Object other -> throw new IllegalStateException("form: no address: " + other);
        }
    }

    private void read(int component, ScalarType type) {
        each(component, operand -> visitor.read((Operand<?>) operand, type));
    }

    private Object one(int component) {
        return form.component(instruction, component).orElseThrow();
    }

    /** Uses the operand, or those of a list; none for an empty Optional. */
    private void each(int component, Consumer<Object> use) {
        form.component(instruction, component).ifPresent(value -> {
            if (value instanceof List<?> list) {
                list.forEach(use);
            } else {
                use.accept(value);
            }
        });
    }

    private ScalarType type(Typed type) {
        return switch (type) {
            case Typed.Fixed fixed -> fixed.type();
            case Typed.Component(int component) ->
                one(component) instanceof Element element
                        ? element.register()
                        : ((ScalarType) one(component)).register();
        };
    }
}
