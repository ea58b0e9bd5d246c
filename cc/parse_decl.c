// parse_decl.c: scopes, objects, declarations and function definitions; the translation unit.
#include "cc/front.h"

#include <stdlib.h>

// ---- Scopes -----------------------------------------------------------------------------------------------------------------

void scope_enter(Front *f)
{
    Scope *s = arena_new(f->arena, Scope);
    *s = (Scope){.outer = f->scope, .depth = f->scope ? f->scope->depth + 1 : 0};
    f->scope = s;
}

void scope_leave(Front *f)
{
    for (Binding *b = f->scope->bindings; b; b = b->in_scope) {
        if (b->kind == BIND_TAG) b->id->tag = b->outer;
        else b->id->binding = b->outer;
    }
    f->scope = f->scope->outer;
}

Binding *scope_bind(Front *f, BindingKind kind, Ident *id, CcLoc loc)
{
    Binding **at = kind == BIND_TAG ? &id->tag : &id->binding;
    if (*at && (*at)->depth == f->scope->depth && kind != BIND_TAG)
        front_fail(f, loc, "'%s' is declared already (line %u)", id->name, (*at)->loc.line);
    Binding *b = arena_new(f->arena, Binding);
    *b = (Binding){.kind = kind, .depth = f->scope->depth, .id = id, .outer = *at, .in_scope = f->scope->bindings, .loc = loc};
    f->scope->bindings = b;
    return *at = b;
}

// ---- Objects ----------------------------------------------------------------------------------------------------------------

Obj *parse_new_obj(Front *f, ObjKind kind, const char *name, Type *type, CcLoc loc)
{
    Obj *o = arena_new(f->arena, Obj);
    *o = (Obj){.kind = kind, .name = name, .type = type, .loc = loc, .align = type->align};
    if (kind == OBJ_FUNC || kind == OBJ_GLOBAL) {
        *f->objs_tail = o;
        f->objs_tail = &o->next;
    }
    return o;
}

Obj *parse_new_local(Front *f, const char *name, Type *type, CcLoc loc)
{
    Obj *o = parse_new_obj(f, OBJ_LOCAL, name ? name : arena_printf(f->arena, ".t%u", f->n_anon++), type, loc);
    vec_push(&f->locals, o);
    return o;
}

static void apply_attrs(Obj *o, const Attrs *a)
{
    if (a->align > o->align) o->align = a->align;
    if (a->section) o->section = a->section;
    if (a->asm_name && o->kind != OBJ_LOCAL) o->name = a->asm_name;
    o->is_weak |= a->is_weak;
    o->is_used |= a->is_used;
    o->is_noreturn |= a->is_noreturn;
    o->is_noinline |= a->is_noinline;
    o->is_always_inline |= a->is_always_inline;
    o->is_returns_twice |= a->is_returns_twice;
    o->is_no_provenance |= a->is_no_provenance;
}

// The object or function with linkage of this name, new or known from before; bound in the current scope.
static Obj *declare_linked(Front *f, ObjKind kind, const DeclSpec *spec, Declarator *d)
{
    Obj *o = d->id->linked;
    Binding *b = d->id->binding;
    if (b && b->depth == f->scope->depth && (b->kind != BIND_OBJ || b->obj != o))
        front_fail(f, d->loc, "'%s' is declared already as something else (line %u)", d->id->name, b->loc.line);
    if (o) {
        if (o->kind != kind || !type_same(o->type, d->type))
            front_fail(f, d->loc, "'%s' was declared as '%s' before (line %u), and here it is '%s'", d->id->name, type_text(f->arena, o->type),
                       o->loc.line, type_text(f->arena, d->type));
        if (spec->is_static && !o->is_static) front_fail(f, d->loc, "'%s' was not static before (line %u)", d->id->name, o->loc.line);
        o->type = type_composite(f, o->type, d->type);
        if (o->type->align > o->align) o->align = o->type->align;
    } else {
        o = parse_new_obj(f, kind, d->id->name, d->type, d->loc);
        o->is_static = spec->is_static;
        d->id->linked = o;
    }
    if (!(b && b->depth == f->scope->depth)) scope_bind(f, BIND_OBJ, d->id, d->loc)->obj = o;
    apply_attrs(o, &spec->attrs);
    apply_attrs(o, &d->attrs);
    return o;
}

// ---- Functions --------------------------------------------------------------------------------------------------------------

static Obj *declare_function(Front *f, const DeclSpec *spec, Declarator *d)
{
    bool was_known = d->id->linked != NULL;
    Obj *fn = declare_linked(f, OBJ_FUNC, spec, d);
    fn->is_inline |= spec->is_inline;
    // C11 6.7.4: an external definition exists if one file-scope declaration lacks inline or says extern.
    if (!spec->is_inline || spec->is_extern) fn->is_extern_inline = true;
    if (!was_known && !spec->is_inline) fn->is_extern_inline = true;
    return fn;
}

static void define_function(Front *f, const DeclSpec *spec, Declarator *d)
{
    if (spec->is_typedef) front_fail(f, spec->loc, "a function definition cannot be a typedef");
    Type *result = d->type->base;
    if (result->is_incomplete && result->kind != TY_VOID)
        front_fail(f, d->loc, "'%s' cannot return the incomplete type '%s'", d->id->name, type_text(f->arena, result));
    Obj *fn = declare_function(f, spec, d);
    if (fn->body) front_fail(f, d->loc, "'%s' is defined already (line %u)", d->id->name, fn->loc.line);
    fn->is_defined = true;
    fn->loc = d->loc;
    if (!d->type->is_unprototyped || fn->type->is_unprototyped) fn->type = d->type;
    parse_function_body(f, fn, d);
}

// ---- Variables --------------------------------------------------------------------------------------------------------------

static void need_complete(Front *f, const Type *t, const Declarator *d)
{
    if (t->kind == TY_VOID) front_fail(f, d->loc, "the variable '%s' cannot be void", d->id->name);
    if (t->is_incomplete) front_fail(f, d->loc, "the variable '%s' has the incomplete type '%s'", d->id->name, type_text(f->arena, t));
}

static bool is_const_object(const Type *t)
{
    while (t->kind == TY_ARRAY) t = t->base;
    return t->is_const && !t->is_volatile;
}

static void finish_global(Obj *o, const Type *t)
{
    o->is_defined = true;
    o->is_const = is_const_object(t);
    if (o->data_size < t->size) o->data_size = t->size;
    if (t->align > o->align) o->align = t->align;
}

static void declare_global(Front *f, const DeclSpec *spec, Declarator *d)
{
    Obj *o = declare_linked(f, OBJ_GLOBAL, spec, d);
    if (f->tok->kind == P_ASSIGN) {
        f->tok++;
        if (o->data || o->n_relocs) front_fail(f, d->loc, "'%s' is initialised already", d->id->name);
        o->is_defined = true;
        init_global(f, o);
        need_complete(f, o->type, d);
        finish_global(o, o->type);
    } else if (!spec->is_extern) {
        if (o->type->kind == TY_VOID) need_complete(f, o->type, d);
        o->is_defined = true; // tentative; the size is checked at the end of the unit
    }
}

static void declare_static_local(Front *f, const DeclSpec *spec, Declarator *d)
{
    const char *name = arena_printf(f->arena, "%s.%s.%u", f->fn ? f->fn->name : "", d->id->name, f->n_anon++);
    Obj *o = parse_new_obj(f, OBJ_GLOBAL, name, d->type, d->loc);
    o->is_static = o->is_defined = true;
    apply_attrs(o, &spec->attrs);
    apply_attrs(o, &d->attrs);
    scope_bind(f, BIND_OBJ, d->id, d->loc)->obj = o;
    if (parse_accept(f, P_ASSIGN)) init_global(f, o);
    need_complete(f, o->type, d);
    finish_global(o, o->type);
}

static void deduce_auto(Front *f, Declarator *d)
{
    if (f->tok->kind != P_ASSIGN) front_fail(f, d->loc, "__auto_type needs a value");
    Token *at = f->tok++;
    bool was = f->is_unevaluated;
    f->is_unevaluated = true;
    d->type = parse_assign_value(f)->type;
    f->is_unevaluated = was;
    f->tok = at;
}

static void declare_local(Front *f, const DeclSpec *spec, Declarator *d)
{
    if (spec->is_auto_type) deduce_auto(f, d);
    Obj *o = parse_new_local(f, d->id->name, d->type, d->loc);
    apply_attrs(o, &spec->attrs);
    apply_attrs(o, &d->attrs);
    if (d->attrs.asm_name) {
        if (!spec->is_register || !type_is_scalar(o->type)) front_fail(f, d->loc, "only a register variable of scalar type can be bound to a register");
        o->asm_reg = d->attrs.asm_name;
    }
    scope_bind(f, BIND_OBJ, d->id, d->loc)->obj = o;
    Node *decl = node_new(f, ND_DECL, d->loc, NULL, NULL, NULL);
    decl->var = o;
    vec_push(&f->stmts, decl);
    if (parse_accept(f, P_ASSIGN)) init_local(f, o);
    need_complete(f, o->type, d);
    if (o->type->align > o->align) o->align = o->type->align;
}

static void declare_typedef(Front *f, const DeclSpec *spec, Declarator *d)
{
    Type *t = d->type;
    u32 align = d->attrs.align > spec->attrs.align ? d->attrs.align : spec->attrs.align;
    if (align > t->align && t->kind < TY_ARRAY) { // a type of its own with that alignment
        Type *copy = arena_new(f->arena, Type);
        *copy = *t;
        copy->align = align;
        copy->ptr_to = NULL;
        if (t->unqual == t) copy->unqual = copy;
        memset(copy->quals, 0, sizeof copy->quals);
        t = copy;
    }
    Binding *b = d->id->binding;
    if (b && b->depth == f->scope->depth && b->kind == BIND_TYPEDEF && type_same(b->type, t)) return;
    scope_bind(f, BIND_TYPEDEF, d->id, d->loc)->type = t;
}

bool parse_static_assert(Front *f)
{
    if (f->tok->kind != K_STATIC_ASSERT) return false;
    CcLoc loc = f->tok++->loc;
    parse_expect(f, P_LPAREN, "behind _Static_assert");
    bool is_true = parse_const_int(f, "_Static_assert") != 0;
    const char *text = parse_accept(f, P_COMMA) ? parse_string_text(f, "a message") : "";
    parse_expect(f, P_RPAREN, "");
    parse_expect(f, P_SEMI, "behind _Static_assert");
    if (!is_true) front_fail(f, loc, "static assertion failed%s%s", *text ? ": " : "", text);
    return true;
}

// One declarator with its initialiser. Returns true if it was a function definition.
static bool declare(Front *f, const DeclSpec *spec, bool is_first)
{
    Declarator d;
    parse_declarator(f, spec->type, &d, true);
    if (spec->is_auto_type && (d.type->kind != TY_INT || !f->fn)) front_fail(f, d.loc, "__auto_type declares only a plain local variable");
    if (spec->is_typedef) {
        declare_typedef(f, spec, &d);
    } else if (d.type->kind == TY_FUNC) {
        if (f->tok->kind == P_LBRACE && is_first) {
            if (f->fn) front_fail(f, d.loc, "a function cannot be defined inside a function");
            define_function(f, spec, &d);
            return true;
        }
        declare_function(f, spec, &d);
    } else if (f->fn && spec->is_static) {
        declare_static_local(f, spec, &d);
    } else if (f->fn && !spec->is_extern) {
        declare_local(f, spec, &d);
    } else {
        declare_global(f, spec, &d);
    }
    return false;
}

void parse_declaration(Front *f)
{
    while (parse_accept(f, K_EXTENSION)) continue;
    if (parse_static_assert(f)) return;
    DeclSpec spec;
    parse_declspec(f, &spec);
    if (f->tok->kind == P_SEMI) {
        f->tok++;
        return;
    }
    for (bool is_first = true;; is_first = false) {
        if (declare(f, &spec, is_first)) return;
        if (!parse_accept(f, P_COMMA)) break;
    }
    parse_expect(f, P_SEMI, "behind this declaration");
}

// ---- The unit ---------------------------------------------------------------------------------------------------------------

static void file_asm(Front *f)
{
    f->tok++;
    parse_expect(f, P_LPAREN, "behind asm");
    const char *text = parse_string_text(f, "assembler text");
    parse_expect(f, P_RPAREN, "");
    parse_expect(f, P_SEMI, "behind asm");
    CcUnit *u = f->unit;
    const char **asms = arena_array(f->arena, const char *, u->n_asms + 1);
    if (u->n_asms) memcpy(asms, u->asms, u->n_asms * sizeof *asms);
    asms[u->n_asms++] = text;
    u->asms = asms;
}

// Tentative definitions get their size; plain inline functions become local.
static void finish_objects(Front *f)
{
    for (Obj *o = f->unit->objs; o; o = o->next) {
        if (o->kind == OBJ_FUNC && o->is_inline && !o->is_extern_inline) o->is_static = true;
        if (o->kind != OBJ_GLOBAL || !o->is_defined || o->data_size) continue;
        if (o->type->kind == TY_ARRAY && o->type->is_incomplete) o->type = type_array(f, o->type->base, 1, false); // C11 6.9.2
        if (o->type->is_incomplete) front_fail(f, o->loc, "the variable '%s' has the incomplete type '%s'", o->name, type_text(f->arena, o->type));
        finish_global(o, o->type);
    }
}

// is_referenced: reachable from what other units can see.
static void mark_referenced(Front *f)
{
    VEC(Obj *) work = {0};
    for (Obj *o = f->unit->objs; o; o = o->next) {
        bool is_root = o->is_defined && (!o->is_static || o->is_used || (o->section && o->kind == OBJ_GLOBAL));
        if (!is_root) continue;
        o->is_referenced = true;
        vec_push(&work, o);
    }
    while (work.len) {
        Obj *o = work.at[--work.len];
        for (u32 i = 0; i < o->n_refs + o->n_relocs; i++) {
            Obj *to = i < o->n_refs ? o->refs[i] : o->relocs[i - o->n_refs].sym;
            if (!to || to->is_referenced) continue;
            to->is_referenced = true;
            vec_push(&work, to);
        }
    }
    vec_free(&work);
}

void parse_unit(Front *f)
{
    f->tok = f->tokens.at;
    scope_enter(f);
    while (f->tok->kind != TK_EOF) {
        if (f->tok->kind == K_ASM) file_asm(f);
        else if (!parse_accept(f, P_SEMI)) parse_declaration(f);
    }
    finish_objects(f);
    mark_referenced(f);
}
