package dev.tilewright.api.platform.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** A misspelt parameter must not look as if it had been obeyed: each is known, and is given once. */
@Component
final class KnownParameters implements HandlerInterceptor, WebMvcConfigurer {

    private static final String OURS = "dev.tilewright.";

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getDispatcherType() == DispatcherType.REQUEST
                && handler instanceof HandlerMethod method
                && method.getBeanType().getName().startsWith(OURS)) {
            refuseUnknown(request, method);
        }
        return true;
    }

    private static void refuseUnknown(HttpServletRequest request, HandlerMethod method) {
        SortedSet<String> known = names(method);
        if (FormBody.isAsked(request)) {
            known.add(PagePaths.FORM_TOKEN);
        }
        List<Fault> faults = new ArrayList<>();
        request.getParameterMap().forEach((name, values) -> {
            if (!known.contains(name)) {
                faults.add(new Fault(
                        name,
                        "unknown parameter '" + name + "'; "
                                + (known.isEmpty() ? "this path takes none" : "known: " + String.join(", ", known))));
            } else if (values.length > 1) {
                faults.add(new Fault(name, "must be given once, got " + Arrays.toString(values)));
            }
        });
        if (!faults.isEmpty()) {
            String detail = faults.size() == 1
                    ? faults.getFirst().pointer() + ": " + faults.getFirst().detail()
                    : faults.size() + " parameters are not accepted";
            throw new ApiProblem(ProblemType.MALFORMED_REQUEST, detail, faults);
        }
    }

    private static SortedSet<String> names(HandlerMethod method) {
        return Stream.of(method.getMethodParameters())
                .flatMap(KnownParameters::names)
                .collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
    }

    /** One, or those of the record that a form is read as. */
    private static Stream<String> names(MethodParameter parameter) {
        if (parameter.hasParameterAnnotation(ModelAttribute.class)) {
            return Stream.of(parameter.getParameterType().getRecordComponents()).map(RecordComponent::getName);
        }
        return parameter.hasParameterAnnotation(RequestParam.class) ? Stream.of(name(parameter)) : Stream.empty();
    }

    private static String name(MethodParameter parameter) {
        String given = Objects.requireNonNull(parameter.getParameterAnnotation(RequestParam.class))
                .name();
        return given.isEmpty() ? parameter.getParameter().getName() : given;
    }
}
