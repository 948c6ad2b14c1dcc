// Editing an amount and its currency in place. "1200 CHF" says both.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useMe } from '../api/session.ts'
import { classes } from '../ui/classes.ts'
import { CurrencyPicker } from './currency-picker.tsx'
import css from './editor.module.css'
import { type EditorProps, faulty, InputFault, leaveOf, Meanwhile } from './editor-parts.tsx'
import { useMeanwhile } from './meanwhile.ts'
import { plainNumber, readPrice } from './parse-number.ts'
import type { Leave } from './picker.tsx'
import { saveField } from './save.ts'

export function AmountInput({ field, lead, records, onDone }: EditorProps) {
  const { workspace } = useMe()
  const [before] = useState(lead)
  const start = before.contract_amount === null ? '' : plainNumber(before.contract_amount)
  const [text, setText] = useState(start)
  const [picked, setPicked] = useState<string>()
  const currency = picked ?? before.contract_currency ?? workspace.currency
  const [fault, setFault] = useState('')
  const meanwhile = useMeanwhile(field, before, lead, records)
  const box = useRef<HTMLSpanElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const isPicking = useRef(false)
  const isDone = useRef(false)
  useEffect(() => input.current?.select(), [])

  const finish = (leave: Leave) => {
    if (isDone.current) return
    // To look at an amount without a currency does not give it one.
    const isOther = picked !== undefined && picked !== before.contract_currency
    const isChanged = text !== start || (text !== '' && isOther)
    if (isChanged) {
      const price = readPrice(text, currency)
      if (price && 'fault' in price) return setFault(price.fault)
      void saveField(field, before, price)
    }
    isDone.current = true
    onDone(leave)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      isDone.current = true
      event.preventDefault()
      return onDone('stay')
    }
    const leave = leaveOf(event)
    const isInput = event.target === input.current
    // Tab goes to the currency first. Enter opens its choice.
    const isInside = isInput ? leave === 'next' : leave === 'previous' || leave === 'stay'
    if (!leave || isInside) return
    event.preventDefault()
    finish(leave)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches focus and keys of both controls
    <span
      className={classes(css.box, css.priced)}
      ref={box}
      onBlur={({ relatedTarget }) => {
        if (!isPicking.current && !box.current?.contains(relatedTarget)) finish('stay')
      }}
      onKeyDown={(event) => {
        if (!isPicking.current) onKeyDown(event)
      }}
    >
      <input
        ref={input}
        className={css.input}
        aria-label={field.label}
        {...faulty(fault)}
        inputMode="decimal"
        autoComplete="off"
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setFault('')
        }}
      />
      <CurrencyPicker
        currency={currency}
        onCurrency={(code) => {
          setPicked(code)
          setFault('')
        }}
        onOpen={(isOpen) => {
          isPicking.current = isOpen
        }}
      />
      <InputFault text={fault} />
      <Meanwhile text={meanwhile} />
    </span>
  )
}
